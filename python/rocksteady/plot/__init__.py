"""Drawing with matplotlib, which only this part of the package needs: ``pip install 'rocksteady[plot]'``."""
