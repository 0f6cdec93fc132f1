"""What everything else is written with: arguments, containers, tables, results."""
