"""The report: what is drawn of an evaluation, as pictures, as Markdown and as one page. numpy and the standard library only."""
