  /* The second half of the page's script, after charts.js: the threshold explorer, the model that is shown, tables to sort and
     to search, matrices, what an index is, light and dark. */

  /* ---------------------------------------------------------------------------------------------------- threshold explorer */

  const slider = byId("threshold");
  const typed = byId("threshold-number");
  let points = null;
  let spoken = 0;

  function pointsOf(model) {
    const found = model.points;
    return found && { ...found, threshold: found.threshold.map(Number) };
  }
  const countsAt = (place) => Object.fromEntries(OUTCOMES.map((name) => [name, points[name][place]]));
  function costs() {
    return Object.fromEntries(
      all("[data-cost]").map((input) => [input.dataset.cost, Number.isFinite(input.valueAsNumber) ? input.valueAsNumber : 0]),
    );
  }
  // The lowest of several, as points ascend; of thresholds between which no score lies the highest, which is a score itself.
  function cheapest(cost) {
    const { tp, fp } = points;
    let best = 0;
    let least = Infinity;
    for (let place = 0; place < points.threshold.length; place += 1) {
      const found = indices.cost(countsAt(place), cost);
      const alike = found === least && tp[place] === tp[best] && fp[place] === fp[best];
      if (found < least || alike) [best, least] = [place, found];
    }
    return best;
  }
  function nearest(value) {
    let best = 0;
    points.threshold.forEach((threshold, place) => {
      if (Math.abs(threshold - value) < Math.abs(points.threshold[best] - value)) best = place;
    });
    return best;
  }

  // Of the thresholds with enough recall that with the best precision, or the other way round; -1 if none has enough.
  function wanted(name) {
    const other = { recall: "precision", precision: "recall" }[name];
    const least = document.querySelector(`[data-wanted="${name}"]`).valueAsNumber;
    let best = -1;
    let most = -1;
    points.threshold.forEach((_, place) => {
      const counts = countsAt(place);
      const value = indices[other](counts);
      if (indices[name](counts) >= least && value >= most) [best, most] = [place, value];
    });
    return best;
  }
  function target(jump) {
    if (jump === "cheapest") return cheapest(costs());
    return jump === "recall" || jump === "precision" ? wanted(jump) : points.places[jump];
  }

  function writeThreshold(threshold) {
    typed.value = Number.isFinite(threshold) ? Number(threshold.toPrecision(6)) : "";
    typed.placeholder = score(threshold);
  }

  function show(speak = true) {
    const place = Number(slider.value);
    const threshold = points.threshold[place];
    const counts = countsAt(place);
    const cost = costs();
    now = { threshold, counts };
    slider.setAttribute("aria-valuetext", score(threshold));
    slider.style.setProperty("--at", `${(100 * place) / Math.max(points.threshold.length - 1, 1)}%`);
    writeThreshold(threshold);
    const rows = { tp: counts.tp + counts.fn, fn: counts.tp + counts.fn, fp: counts.fp + counts.tn, tn: counts.fp + counts.tn };
    all("[data-count]").forEach((cell) => {
      const key = cell.dataset.count;
      cell.dataset.value = String(counts[key]);
      cell.style.setProperty("--share", ratio(counts[key], rows[key]) || 0);
      cell.querySelector("span").textContent = amount(counts[key]);
    });
    all("[data-index]").forEach((cell) => {
      const value = indices[cell.dataset.index](counts, cost);
      cell.dataset.value = String(value);
      cell.textContent = cell.dataset.index === "cost" ? amount(Number(value.toPrecision(12))) : decimal(value);
      cell.classList.toggle("undefined", Number.isNaN(value));
    });
    const best = cheapest(cost);
    const button = byId("cheapest");
    button.dataset.value = String(points.threshold[best]);
    button.textContent = score(points.threshold[best]);
    byId("cheapest-cost").textContent = decimal(indices.mean_cost(countsAt(best), cost));
    all("[data-jump]").forEach((jump) => {
      const there = target(jump.dataset.jump);
      jump.disabled = there === -1;
      jump.setAttribute("aria-pressed", String(there === place));
    });
    mark();
    // Spoken when the hand rests, not at each step; and not before anybody moved anything.
    clearTimeout(spoken);
    if (!speak) return;
    spoken = setTimeout(() => {
      const values = ["precision", "recall", "f1", "mean_cost"].map(
        (name) => `${name.replace("_", " ")} ${decimal(indices[name](counts, cost))}`,
      );
      const outcomes = `${amount(counts.tp)} true and ${amount(counts.fp)} false positives, `
        + `${amount(counts.fn)} false and ${amount(counts.tn)} true negatives`;
      byId("live").textContent = `Threshold ${score(threshold)}: ${outcomes}; ${values.join(", ")}.`;
    }, 500);
  }

  function explore(place, speak) {
    const explorer = slider && slider.closest(".explorer");
    if (!explorer) return;
    points = pointsOf(report.models[place]);
    explorer.hidden = !points;
    if (!points) {
      now = null;
      mark();
      return;
    }
    slider.max = points.threshold.length - 1;
    slider.value = points.places.given ?? points.places.youden ?? 0;
    all("[data-jump]").forEach((jump) => {
      const { youden, ks } = points.places;
      const at = target(jump.dataset.jump);
      jump.hidden = at === undefined || (jump.dataset.jump === "ks" && ks === youden);
      if (jump.dataset.jump === "youden") jump.textContent = ks === youden ? "Best Youden’s J, KS" : "Best Youden’s J";
    });
    show(speak);
  }

  function startExplorer() {
    if (!slider) return;
    all("[data-cost]").forEach((input) => {
      input.value = report.costs[input.dataset.cost];
      input.addEventListener("input", () => show());
    });
    slider.addEventListener("input", () => show());
    typed.addEventListener("change", () => {
      if (Number.isFinite(typed.valueAsNumber)) slider.value = nearest(typed.valueAsNumber);
      show();
    });
    typed.addEventListener("keydown", (event) => {
      const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      slider.value = Number(slider.value) + step;
      show();
    });
    typed.addEventListener("blur", () => writeThreshold(now.threshold)); // what is no number is gone
    all("[data-jump]").forEach((jump) => {
      jump.addEventListener("click", () => {
        slider.value = target(jump.dataset.jump);
        show();
      });
    });
    all("[data-wanted]").forEach((input) => {
      input.addEventListener("input", () => show(false));
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter") document.querySelector(`[data-jump="${input.dataset.wanted}"]`).click();
      });
    });
  }

  /* ------------------------------------------------------------------------------------------------------ one of the models */

  function choose(place, speak = true) {
    chosen = place;
    all(".panel").forEach((panel) => {
      panel.hidden = Number(panel.dataset.model) !== chosen;
    });
    all("[data-parts]").forEach((field) => {
      field.hidden = Number(field.dataset.parts) !== chosen;
    });
    explore(chosen, speak);
  }
  const chooser = byId("model");
  if (chooser) chooser.addEventListener("change", () => choose(Number(chooser.value)));

  // A box for each class draws its curves on all charts of its model.
  function choosable(field) {
    const model = Number(field.dataset.parts);
    const boxes = all("[data-part]", field);
    const first = new Map(boxes.map((box) => [box, box.checked]));
    const apply = () => {
      const parts = new Set(boxes.filter((box) => box.checked).map((box) => Number(box.dataset.part)));
      drawn.forEach(({ told }) => {
        if (told.choose && told.series.some((series) => series.part !== null && series.model === model)) told.choose(parts);
      });
    };
    field.addEventListener("change", apply);
    all("[data-choose]", field).forEach((button) => {
      button.addEventListener("click", () => {
        const wish = { all: () => true, none: () => false, first: (box) => first.get(box) }[button.dataset.choose];
        boxes.forEach((box) => { box.checked = wish(box); });
        apply();
      });
    });
  }

  /* ----------------------------------------------------------------------------------------------------------------- tables */

  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = element("button", head.textContent);
      button.type = "button";
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const falling = head.getAttribute("aria-sort") === "descending" || (column === 0 && !head.hasAttribute("aria-sort"));
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", falling ? "ascending" : "descending");
        const key = (row) => {
          const cell = row.cells[column];
          return cell.dataset.value === undefined ? cell.textContent : cell.dataset.value === "" ? NaN : Number(cell.dataset.value);
        };
        const compare = (a, b) => {
          if (typeof a === "string") return a.localeCompare(b, "en", { numeric: true });
          return a - b;
        };
        const rows = [...table.tBodies[0].rows].map((row) => [key(row), row]);
        // What is undefined is last either way.
        const defined = rows.filter(([value]) => !Number.isNaN(value));
        const others = rows.filter(([value]) => Number.isNaN(value));
        defined.sort(([a], [b]) => (falling ? compare(a, b) : compare(b, a)));
        table.tBodies[0].append(...[...defined, ...others].map(([, row]) => row));
      });
    });
  }

  function searchable(input) {
    const rows = [...byId(input.dataset.filter).querySelector("tbody").rows];
    const status = input.closest(".filter").querySelector("[role=status]");
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase();
      let there = 0;
      rows.forEach((row) => {
        row.hidden = !row.cells[0].textContent.toLowerCase().includes(words);
        there += !row.hidden;
      });
      status.textContent = words ? `${there} of ${rows.length} classes` : "";
    });
  }

  /* --------------------------------------------------------------------------------------------- a matrix of several classes */

  const share = (value) => (Number.isNaN(value) ? "–" : `${fixed(100 * value, 1)} %`);
  function matrixOf({ labels, cells: [actual, predicted, amounts] }) {
    const size = labels.length;
    const cells = labels.map(() => new Float64Array(size));
    const [rows, columns] = [new Float64Array(size), new Float64Array(size)];
    let total = 0;
    amounts.forEach((found, i) => {
      cells[actual[i]][predicted[i]] = found;
      rows[actual[i]] += found;
      columns[predicted[i]] += found;
      total += found;
    });
    let most = 0;
    cells.forEach((row) => row.forEach((found) => { most = Math.max(most, found); }));
    const whole = { true: (i) => rows[i], pred: (i, j) => columns[j], all: () => total, none: () => most };
    const places = labels.map((_, i) => i);
    const errors = (i) => rows[i] - cells[i][i];
    const orders = {
      labels: () => 0,
      name: (i, j) => labels[i].localeCompare(labels[j], "en", { numeric: true }),
      rows: (i, j) => rows[j] - rows[i],
      errors: (i, j) => errors(j) - errors(i),
    };
    return {
      labels,
      cells,
      share: (i, j, of) => ratio(cells[i][j], whole[of](i, j)),
      order: (by) => [...places].sort((i, j) => orders[by](i, j) || i - j),
    };
  }

  function adjustable(controls) {
    const panel = controls.closest(".panel");
    const matrix = matrixOf(report.models[Number(panel.dataset.model)].matrix);
    const [by, of] = ["[data-order]", "[data-normalize]"].map((name) => controls.querySelector(name));
    const frame = panel.querySelector(".frame");
    const apply = frame ? pictured(frame, matrix) : tabled(panel.querySelector("table.matrix"), matrix);
    const changed = () => apply(matrix.order(by.value), of.value);
    by.addEventListener("change", changed);
    of.addEventListener("change", changed);
  }

  function tabled(table, matrix) {
    const heads = [...table.tHead.rows[0].cells].slice(1);
    const rows = [...table.tBodies[0].rows];
    const cells = rows.map((row) => [...row.cells].slice(1));
    return (order, of) => {
      table.tHead.rows[0].append(...order.map((j) => heads[j]));
      order.forEach((i) => {
        rows[i].append(...order.map((j) => cells[i][j]));
        order.forEach((j) => {
          const found = matrix.share(i, j, of);
          cells[i][j].style.setProperty("--share", (found || 0).toFixed(4));
          cells[i][j].querySelector("small").textContent = of === "none" ? "" : share(found);
        });
      });
      table.tBodies[0].append(...order.map((i) => rows[i]));
    };
  }

  // A pixel for each cell, in the colours of the picture that is there without scripts.
  function pictured(frame, matrix) {
    const size = matrix.labels.length;
    const read = frame.closest("figure").querySelector(".read");
    let order = matrix.order("labels");
    let of = "true";
    frame.addEventListener("pointermove", (event) => {
      const box = frame.getBoundingClientRect();
      const place = (at, from, length) => order[Math.min(size - 1, Math.max(0, Math.floor(((at - from) / length) * size)))];
      const actual = place(event.clientY, box.top, box.height);
      const predicted = place(event.clientX, box.left, box.width);
      const found = matrix.share(actual, predicted, of);
      const part = of === "none" || Number.isNaN(found) ? "" : ` (${share(found)})`;
      read.textContent = `Actually ${matrix.labels[actual]}, predicted ${matrix.labels[predicted]}: ${amount(matrix.cells[actual][predicted])}${part}`;
    });
    frame.addEventListener("pointerleave", () => { read.textContent = ""; });
    const names = [...frame.closest("figure").querySelectorAll(".names")].map((list) => [list, [...list.children]]);
    return (newOrder, newOf) => {
      [order, of] = [newOrder, newOf];
      names.forEach(([list, items]) => list.append(...order.map((i) => items[i])));
      const canvas = element("canvas");
      canvas.width = size;
      canvas.height = size;
      const pixels = new ImageData(size, size);
      const found = order.map((i) => order.map((j) => matrix.share(i, j, of) || 0));
      const greatest = (isRight) => Math.max(...found.map((row, y) => Math.max(0, ...row.filter((_, x) => (x === y) === isRight)))) || 1;
      const right = of === "all" ? greatest(true) : 1;
      const wrong = greatest(false);
      found.forEach((row, y) => row.forEach((value, x) => {
        const part = x === y ? Math.sqrt(Math.min(value / right, 1)) : value / wrong;
        const alpha = value > 0 ? 2 * Math.ceil(12 + 115 * part) : 0;
        pixels.data.set([...(x === y ? [0x1f, 0x7f, 0xc0] : [0xe0, 0x6a, 0x10]), alpha], 4 * (y * size + x));
      }));
      canvas.getContext("2d").putImageData(pixels, 0, 0);
      frame.querySelector("img").src = canvas.toDataURL();
    };
  }

  /* ------------------------------------------------------------------------------------------------------------ what an index is */

  // A link to the definition of an index shows it where the link is. Without popovers, or scripts, it goes there.
  function explain() {
    if (!("popover" in HTMLElement.prototype)) return;
    const box = element("div");
    box.id = "explained";
    box.popover = "auto";
    box.tabIndex = -1;
    box.setAttribute("role", "dialog");
    document.body.append(box);
    let asked = null;
    let height = 0; // of the link in the window, as the box was opened
    all("a.index").forEach((link) => {
      link.setAttribute("aria-haspopup", "dialog");
      link.addEventListener("click", (event) => {
        const definition = document.querySelector(link.hash);
        if (!definition || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        asked = link;
        const [summary, ...parts] = [...definition.children].map((part) => part.cloneNode(true));
        const heading = element("p");
        heading.className = "term";
        heading.append(...summary.childNodes);
        box.replaceChildren(heading, ...parts, byId("symbols").cloneNode(true));
        box.lastChild.removeAttribute("id");
        box.lastChild.className = "symbols";
        box.setAttribute("aria-label", heading.textContent);
        box.showPopover();
        const at = link.getBoundingClientRect();
        height = at.top;
        const { width: wide, height: tall } = box.getBoundingClientRect();
        const below = at.bottom + 6 + tall <= window.innerHeight || at.top < tall + 6;
        box.style.left = `${Math.max(8, Math.min(at.left, document.documentElement.clientWidth - wide - 8))}px`;
        box.style.top = `${Math.max(8, below ? Math.min(at.bottom + 6, window.innerHeight - tall - 8) : at.top - tall - 6)}px`;
        box.focus({ preventScroll: true });
      });
    });
    box.addEventListener("toggle", (event) => {
      if (event.newState === "closed" && box.contains(document.activeElement)) asked.focus({ preventScroll: true });
    });
    // It belongs to what is below it: where that has moved away, it goes.
    const gone = () => Math.abs(asked.getBoundingClientRect().top - height) > 60;
    window.addEventListener("scroll", () => { if (box.matches(":popover-open") && gone()) box.hidePopover(); }, { passive: true });
  }

  /* --------------------------------------------------------------------------------------------------------- light and dark */

  const theme = byId("theme");
  function sayTheme() {
    theme.textContent = isDark() ? "Light" : "Dark";
    theme.setAttribute("aria-label", isDark() ? "Change to light colours" : "Change to dark colours");
  }
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    sayTheme();
    recolour();
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    sayTheme();
    recolour();
  });

  // What is folded is unfolded on paper.
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = all(".definitions details:not([open]), details:is(.fold, .how):not([open])");
    folded.forEach((details) => { details.open = true; });
  });
  window.addEventListener("afterprint", () => folded.forEach((details) => { details.open = false; }));

  sayTheme();
  startExplorer();
  drawAll();
  choose(report.first, false);
  all("table.sortable").forEach(sortable);
  all("[data-filter]").forEach(searchable);
  all(".controls").forEach(adjustable);
  all("[data-parts]").forEach(choosable);
  explain();
  root.classList.add("ready");
})();
