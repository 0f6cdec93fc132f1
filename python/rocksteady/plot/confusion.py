"""A confusion matrix, drawn."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocksteady._matplotlib import properties
from rocksteady.base.arguments import flag, mapping, one_of, wrong_type
from rocksteady.base.table import number, one_line
from rocksteady.charts.chart import ACTUAL, PREDICTED, of_positive
from rocksteady.plot.artist import escaped
from rocksteady.plot.matrix import MatrixDisplay

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from rocksteady.labels.confusion import ConfusionMatrix, Normalize

# With more classes, cells are too small for a number and a share, for a number, and for a label each.
_MOST_SHARES, _MOST_NUMBERS, _MOST_TICKS = 8, 20, 25
_LONGEST_LABEL = 24


class ConfusionMatrixDisplay(MatrixDisplay):
    r"""A confusion matrix: rows actual, columns predicted; colours are shares, cells hold counts and shares.

    From 9 classes on the cells hold counts only, from 21 on nothing; then the darkest colour is the greatest share, and
    not every class has a label at the edge.

    Parameters
    ----------
    matrix : ConfusionMatrix
    normalize : {"true", "pred", "all"}
        Of what the shares are: of the actual class, of the predicted one, of all rows.

    Attributes
    ----------
    im_ : matplotlib image
        Its data are the shares.
    text_ : ndarray of matplotlib texts, or None
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.ConfusionMatrixDisplay.from_predictions([0, 1, 1], [0, 1, 0])
    >>> display.text_[1, 0].get_text()
    '1\n50%'
    """

    im_: Any
    text_: Any
    _size: ClassVar[tuple[float, float]] = (5.4, 4.6)

    def __init__(self, matrix: ConfusionMatrix, *, normalize: Normalize = "true") -> None:
        super().__init__(matrix)
        one_of(normalize, "normalize", ("true", "pred", "all"))
        self.normalize = normalize

    @classmethod
    def from_matrix(
        cls, matrix: ConfusionMatrix, *, normalize: Normalize = "true", ax: Any = None, **kwargs: Any
    ) -> Self:
        """Draws a matrix that is counted already; options as for the class and `plot`."""
        return cls(matrix, normalize=normalize).plot(ax=ax, **kwargs)

    def plot(
        self,
        ax: Any = None,
        *,
        include_values: bool | None = None,
        cmap: Any = "Blues",
        colorbar: bool = True,
        im_kw: Mapping[str, Any] | None = None,
        text_kw: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draws on `ax`, or on the axes of a new figure.

        Parameters
        ----------
        ax : matplotlib axes, optional
        include_values : bool, optional
            Write into the cells. Default: where there is room.
        cmap : str or matplotlib colormap
        colorbar : bool
        im_kw, text_kw : dict, optional
            matplotlib's properties of the image and of the texts.

        Returns
        -------
        the display
        """
        axes = self._take_axes(ax)
        if not isinstance(cmap, str | import_module("matplotlib.colors").Colormap):
            raise wrong_type(cmap, "cmap", "a colormap of matplotlib, or its name")
        shares = self.matrix.normalize(self.normalize)
        count = len(shares)
        # Large cells have sharp edges; matplotlib blends small ones.
        default = {"cmap": cmap, **({"interpolation": "nearest"} if count <= _MOST_NUMBERS else {})}
        if "norm" not in mapping(im_kw, "im_kw", "a mapping from matplotlib's properties to values"):
            # A few classes share one scale, to compare pictures; with many, the scale follows the greatest share to
            # show anything.
            greatest = float(shares.max(initial=0.0)) or 1.0
            default |= {"vmin": 0.0, "vmax": 1.0 if self.normalize != "all" and count <= _MOST_NUMBERS else greatest}
        self.im_ = axes.imshow(shares, **properties(default, im_kw, "im_kw"))
        self.text_ = None
        if count <= _MOST_NUMBERS if include_values is None else flag(include_values, "include_values"):
            self._write(axes, shares, text_kw)
        if flag(colorbar, "colorbar"):
            of = {"true": "of the actual class", "pred": "of the predicted class", "all": "of all rows"}
            bar = self.figure_.colorbar(
                self.im_, ax=axes, label=f"Share {of[self.normalize]}", fraction=0.046, pad=0.03
            )
            bar.outline.set_visible(False)
        self._label(axes, count)
        return self

    def _write(self, axes: Any, shares: Any, how: Mapping[str, Any] | None) -> None:
        """Counts, and shares where they fit: light on dark and dark on light."""
        cells = self.matrix.to_array()
        small = len(cells) > _MOST_SHARES
        size = "medium" if len(cells) <= 4 else "small" if len(cells) <= 12 else "xx-small"
        self.text_ = np.empty(cells.shape, dtype=object)
        for (row, column), cell in np.ndenumerate(cells):
            red, green, blue, _ = self.im_.cmap(self.im_.norm(shares[row, column]))
            colour = "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"
            words = number(cell.item(), 4 if small else 6)
            if not small:
                words += f"\n{_percent(float(shares[row, column]))}"
            default = {
                "horizontalalignment": "center",
                "verticalalignment": "center",
                "color": colour,
                "fontsize": size,
            }
            self.text_[row, column] = axes.text(column, row, words, **properties(default, how, "text_kw"))

    def _label(self, axes: Any, count: int) -> None:
        """The labels of the classes; of very many classes only some."""
        places = np.arange(0, count, 1 + (count - 1) // _MOST_TICKS)
        labels = list(self.matrix.labels)
        words = [_short(labels[place]) for place in places.tolist()]
        long = max(map(len, words), default=0) * len(words) > 40
        size = "medium" if count <= 12 else "small" if count <= _MOST_NUMBERS else "x-small"
        if self._is_own and words:
            width, height = self.figure_.get_size_inches()
            longest = max(map(len, words))
            self.figure_.set_size_inches(width + 0.07 * longest, height + (0.06 * longest if long else 0))
        turned = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if long else {}
        axes.set_xticks(places, words, fontsize=size, **turned)
        axes.set_yticks(places, words, fontsize=size)
        axes.tick_params(length=0 if count <= _MOST_TICKS else 3)
        axes.spines[:].set_visible(False)
        rest = "" if len(places) == count else f" ({count} classes)"
        positive = of_positive(self.matrix.pos_label)
        axes.set(xlabel=f"{PREDICTED.label}{rest}", ylabel=escaped(f"{ACTUAL.label}{rest}{positive}"))


def _short(label: object) -> str:
    r"""A label at the edge: on one line, cut if it is long.

    >>> _short("a\nb"), len(_short("x" * 200))
    ('a\\nb', 24)
    """
    words = one_line(label)
    return escaped(words if len(words) <= _LONGEST_LABEL else words[: _LONGEST_LABEL - 1] + "…")


def _percent(share: float) -> str:
    """A share, where nearly all is not shown as all, and a little not as nothing.

    >>> _percent(0.5), _percent(0.123), _percent(0.9999), _percent(0.0001), _percent(0.0)
    ('50%', '12.3%', '>99.9%', '<0.1%', '0%')
    """
    if 0.9995 <= share < 1:
        return ">99.9%"
    if 0 < share < 0.0005:
        return "<0.1%"
    return f"{100 * share:.1f}".removesuffix(".0") + "%"
