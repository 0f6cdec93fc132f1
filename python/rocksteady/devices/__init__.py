"""Arrays in the memory of another device, such as a GPU: counted there, so that only counts come here.

In the order in which data flow:

| module | owns |
|---|---|
| `arrays` | the columns of a call, their library, and how rows come here |
| `cells` | the values that rows have together, how often, and the statistic of these |
| `scores` | distinct scores with the rows of each class; the pairs of the area under the ROC curve |
| `classes` | the scores of several classes |
| `groups` | rows by group |
| `batches` | the batches of a collector, which wait on their device until the first question |
| `ranks` | whether the class of a row is among those with the highest scores |
"""
