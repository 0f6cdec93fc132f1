"""The options of Sphinx for the site, which ``make site`` builds into output/site.

The pages are those that GitHub shows. site_pages.py, beside this file, adapts them. A page loads nothing from another
host: formulas are MathML, and the theme brings its fonts and icons.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

import site_pages

mpl.use("Agg")
os.chdir(ROOT)  # examples name files from there

project = "rocksteady"
author = "The rocksteady developers"
project_copyright = f"{author}. MIT or Apache-2.0, at your choice"
release = version = version_of("rocksteady")

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "numpydoc",
]
# The functions of site_pages.py cannot be pickled.
suppress_warnings = ["config.cache"]
exclude_patterns = ["gallery/*.ipynb", "gallery/*.py", "gallery/*.json"]
templates_path = ["_templates"]
nitpicky = True
toc_object_entries_show_parents = "hide"

# Pages and the notebook, which is stored with its outputs; a test compares them with what its cells give.
myst_enable_extensions = ["colon_fence"]
myst_fence_as_directive = ["math"]  # GitHub's ```math
myst_heading_anchors = 4
nb_execution_mode = "off"
nb_merge_streams = True
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# The API. The docstrings say the types.
autosummary_generate = True
default_role = "literal"
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False  # autodoc shows them

sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "within_subsection_order": "FileNameSortKey",
    "capture_repr": (),  # what an example prints is enough
    "image_scrapers": ("matplotlib",),
    "thumbnail_size": (400, 300),
}

html_theme = "pydata_sphinx_theme"
html_title = "rocksteady"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_math_renderer = "mathml"
html_show_sourcelink = False
html_copy_source = False
html_theme_options: dict[str, Any] = {
    "logo": {"text": "rocksteady"},
    "navbar_align": "left",
    "header_links_before_dropdown": 8,
    "navbar_end": ["theme-switcher"],
    "navbar_persistent": ["search-button"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": False,
    "navigation_with_keys": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_context = {"default_mode": "auto"}  # light or dark as the reader's system
html_sidebars: dict[str, list[str]] = {"index": [], "first-steps": [], "_project/tour": []}  # no pages below these


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the pages that are made, and adapt the others as they are read."""
    site_pages.copy_project()
    site_pages.write_api()
    app.connect("source-read", site_pages.adapt)
    app.connect("autodoc-process-docstring", site_pages.plain_docstring, priority=400)  # before numpydoc
    app.add_html_math_renderer("mathml", (site_pages.inline_math, None), (site_pages.block_math, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
