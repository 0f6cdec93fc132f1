/* What moves on the page: charts, the threshold explorer, tables to sort and to search, light and dark.
   Text that came from outside is only ever set as textContent. */
"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const report = JSON.parse(document.getElementById("report-data").textContent);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const element = (kind, text) => {
    const made = document.createElement(kind);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  /* ------------------------------------------------------------------------------------------------------- numbers as text */

  // The same text as in the tables, for the same number: as Python writes it.
  const minus = (text) => text.replace(/^-/, "−");
  const infinite = (value) => (value > 0 ? "∞" : "−∞");
  const grouped = (value) => minus(value.toLocaleString("en", { maximumSignificantDigits: 17 }));
  const exponent = (value, digits) => value.toExponential(digits).replace(/e([+-])(\d)$/, "e$10$2");
  // Halves go to the even digit.
  const fixed = (value, digits) => {
    const size = Math.abs(value);
    if ((size * 2 ** (digits + 1)) % 2 !== 1) return value.toFixed(digits);
    const below = Math.floor(size * 10 ** digits);
    return ((Math.sign(value) * (below + (below % 2))) / 10 ** digits).toFixed(digits);
  };
  const sixDigits = (value) => Number(fixed(value, 5 - Number(exponent(value, 5).split("e")[1])));
  const score = (value) => {
    if (!Number.isFinite(value)) return infinite(value);
    const [digits, power] = exponent(value, 5).split("e");
    return minus(power >= -4 && power < 6 ? String(sixDigits(value)) : `${Number(digits)}e${power}`);
  };
  const decimal = (value) => {
    if (Number.isNaN(value)) return "undefined";
    if (!Number.isFinite(value)) return infinite(value);
    const size = Math.abs(value);
    if (size >= 1e15 || (size > 0 && size < 5e-5)) return minus(exponent(value, 3));
    return size < 1000 ? minus(fixed(value, 4)) : grouped(Number(fixed(value, 0)));
  };
  const amount = (value) => {
    const size = Math.abs(value);
    if (size >= 1e15 || (size > 0 && size < 1e-4)) return score(value);
    return grouped(size >= 1e5 ? Number(fixed(value, 0)) : sixDigits(value));
  };

  /* --------------------------------------------------------------------------------------------------------------- indices */

  // 0 / 0 is NaN in JavaScript, too; anything else over 0 would be infinite, and is as undefined.
  const ratio = (part, whole) => (whole === 0 ? NaN : part / whole);
  const indices = {
    accuracy: ({ tp, fp, fn, tn }) => ratio(tp + tn, tp + fp + fn + tn),
    recall: ({ tp, fn }) => ratio(tp, tp + fn),
    specificity: ({ fp, tn }) => ratio(tn, tn + fp),
    balanced_accuracy: (c) => (indices.recall(c) + indices.specificity(c)) / 2,
    precision: ({ tp, fp }) => ratio(tp, tp + fp),
    npv: ({ fn, tn }) => ratio(tn, tn + fn),
    fpr: ({ fp, tn }) => ratio(fp, fp + tn),
    fnr: ({ tp, fn }) => ratio(fn, tp + fn),
    rpp: ({ tp, fp, fn, tn }) => ratio(tp + fp, tp + fp + fn + tn),
    f1: ({ tp, fp, fn }) => ratio(2 * tp, 2 * tp + fp + fn),
    informedness: (c) => indices.recall(c) + indices.specificity(c) - 1,
    lift: ({ tp, fp, fn, tn }) => ratio(ratio(tp, tp + fp), ratio(tp + fn, tp + fp + fn + tn)),
    // 0 by convention where a margin is empty.
    mcc: ({ tp, fp, fn, tn }) => {
      const margins = Math.sqrt(tp + fn) * Math.sqrt(tn + fp) * Math.sqrt(tp + fp) * Math.sqrt(tn + fn);
      return margins === 0 ? 0 : (tp * tn - fp * fn) / margins;
    },
    cost: ({ tp, fp, fn, tn }, cost) => cost.fp * fp + cost.fn * fn + cost.tp * tp + cost.tn * tn,
    mean_cost: (c, cost) => ratio(indices.cost(c, cost), c.tp + c.fp + c.fn + c.tn),
  };
  const OUTCOMES = ["tp", "fp", "fn", "tn"];

  /* ---------------------------------------------------------------------------------------------------------------- charts */

  const drawn = [];
  let chosen = 0;
  let now = null;

  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
  const variable = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const coloursOf = (place) => (place === null ? report.reference : report.colours[place % report.colours.length]);

  const asPoints = ({ points: [xs, ys], thresholds, labels }) =>
    xs.map((x, i) => ({ x: x ?? NaN, y: ys[i] ?? NaN, threshold: thresholds && (thresholds[i] ?? Infinity), label: labels[i] }));

  // Bars as one outline: x is the middle of each, and they are of one width.
  function outline(series, [low, high]) {
    const bars = asPoints(series);
    const half = (bars.length > 1 ? bars[1].x - bars[0].x : high - low) / 2;
    const sides = bars.flatMap((bar) => [{ ...bar, x: bar.x - half, middle: bar.x }, { ...bar, x: bar.x + half, middle: bar.x }]);
    const ends = sides.length ? [{ ...sides[0], y: 0 }, { ...sides[sides.length - 1], y: 0 }] : [];
    return [...ends.slice(0, 1), ...sides, ...ends.slice(1)];
  }

  // An unbroken line is one long stroke: of lines without dashes Chart.js merges the points in a column of pixels, and it shows.
  const widthOf = ({ model, faint }) => (faint ? 1 : model === null ? 1.25 : 2);
  function strokes(series) {
    if (series.kind === "points" || series.kind === "bars") return [];
    return series.dashes.length ? series.dashes.map((length) => length * widthOf(series)) : [1e6, 1];
  }

  function dataset(series, xRange) {
    const [light, dark] = coloursOf(series.style);
    const colour = isDark() ? dark : light;
    const points = series.kind === "points";
    const bars = series.kind === "bars";
    return {
      label: series.name,
      model: series.model,
      kind: series.kind,
      data: bars ? outline(series, xRange) : asPoints(series),
      borderColor: colour,
      backgroundColor: points ? colour : `${colour}38`,
      borderWidth: widthOf(series),
      borderDash: strokes(series),
      showLine: !points,
      pointRadius: points ? 4 : 0,
      pointHoverRadius: 5,
      pointHitRadius: 8,
      clip: points ? 8 : 0, // a dot on the edge is a whole dot
      stepped: series.kind === "step" ? "after" : false,
      fill: bars ? "origin" : false,
      tension: 0,
      order: series.model === null ? 1 : 0,
    };
  }

  const markers = () => {
    const ink = variable("--ink");
    const shared = { mark: true, borderColor: ink, backgroundColor: variable("--paper"), borderWidth: 2.5, order: -1, clip: 8 };
    return [
      { ...shared, label: "", data: [], pointRadius: 6, pointHoverRadius: 6, pointHitRadius: 0, showLine: false },
      { ...shared, label: "", data: [], pointRadius: 0, pointHitRadius: 0, borderWidth: 1.25, borderDash: [3, 3] },
    ];
  };

  // Words on lines that are no longer than the axis, at some seven pixels a letter.
  function lines(words, across) {
    const found = [""];
    words.split(" ").forEach((word) => {
      const longer = `${found[found.length - 1]} ${word}`.trim();
      if (longer.length * 7 <= across) found[found.length - 1] = longer;
      else found.push(word);
    });
    return found.filter(Boolean);
  }

  function axis(label, [low, high], ticks, across) {
    const named = new Map(ticks);
    const grid = { color: variable("--grid"), drawBorder: false, tickLength: 4 };
    const shown = { color: variable("--muted"), maxRotation: 0, padding: 4, maxTicksLimit: 6 };
    const found = {
      type: "linear",
      min: low,
      max: high,
      title: { display: true, text: lines(label, across), color: variable("--muted") },
      grid,
      ticks: { ...shown, includeBounds: false },
    };
    if (ticks.length) {
      found.afterBuildTicks = (scale) => {
        scale.ticks = ticks.map(([value]) => ({ value }));
      };
      found.ticks = { ...shown, autoSkip: true, callback: (value) => named.get(value) ?? "" };
    }
    return found;
  }

  // Series of one name are one thing: the legend has them once, and hides them together. Of a single one it says nothing.
  function legend(card, chart, told) {
    const names = [...new Set(told.series.map((series) => series.legend).filter(Boolean))];
    if (names.length < 2) return;
    const list = element("ul");
    list.className = "legend live";
    list.setAttribute("aria-label", "Legend: each button shows or hides a line");
    names.forEach((name) => {
      const button = element("button");
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      button.append(sample(told.series.find((series) => series.legend === name)), element("span", name));
      button.addEventListener("click", () => {
        const visible = button.getAttribute("aria-pressed") === "false";
        button.setAttribute("aria-pressed", String(visible));
        told.series.forEach((series, place) => {
          if (series.legend === name) chart.setDatasetVisibility(place, visible);
        });
        chart.update();
      });
      const item = element("li");
      item.append(button);
      list.append(item);
    });
    card.querySelector(".canvas").after(list);
  }
  function sample(series) {
    const { kind, style, dashes } = series;
    const colour = style === null ? "var(--series-reference)" : `var(--series-${style % report.colours.length})`;
    const shape = {
      bars: ["rect", { x: 8, y: 1, width: 12, height: 10, fill: colour, "fill-opacity": 0.3, stroke: colour }],
      points: ["circle", { cx: 14, cy: 6, r: 4, fill: colour }],
    }[kind] ?? ["path", { d: "M0 6H28", stroke: colour, "stroke-width": widthOf(series) }];
    const [picture, drawing] = ["svg", shape[0]].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
    if (dashes.length && shape[0] === "path") shape[1]["stroke-dasharray"] = strokes(series).join(" ");
    Object.entries(shape[1]).forEach(([key, value]) => drawing.setAttribute(key, value));
    Object.entries({ width: 28, height: 12, "aria-hidden": "true" }).forEach(([key, value]) => picture.setAttribute(key, value));
    picture.append(drawing);
    return picture;
  }

  // What a point is, a line for each coordinate.
  function said(told, { x, y, threshold, label, middle = x }) {
    const lines = label === undefined ? [] : [label];
    lines.push(`${told.x}: ${placed(middle, told.xTicks)}`, `${told.y}: ${placed(y, told.yTicks)}`);
    if (threshold !== null && !told.crossed) lines.push(`${report.threshold}: ${score(threshold)}`);
    return lines;
  }
  // On an axis with words of its own a number would say nothing: the nearest two words do.
  function placed(value, ticks) {
    if (!ticks.length) return score(value);
    const above = ticks.findIndex(([place]) => place >= value);
    if (above < 0) return `above ${ticks[ticks.length - 1][1]}`;
    if (ticks[above][0] === value || above === 0) return ticks[above][1];
    return `${ticks[above - 1][1]} to ${ticks[above][1]}`;
  }

  function draw(canvas, told) {
    return new Chart(canvas, {
      type: "line",
      data: { datasets: [...told.series.map((series) => dataset(series, told.xRange)), ...markers()] },
      options: {
        animation: false,
        parsing: false,
        normalized: true,
        maintainAspectRatio: false,
        interaction: { mode: "nearest", axis: "xy", intersect: false },
        font: { family: getComputedStyle(document.body).fontFamily },
        scales: {
          x: axis(told.x, told.xRange, told.xTicks, (canvas.parentNode.clientWidth || 400) - 60),
          y: axis(told.y, told.yRange, told.yTicks, 248),
        },
        plugins: {
          legend: { display: false }, // below the canvas, of buttons
          tooltip: {
            filter: (item) => !item.dataset.mark,
            displayColors: false,
            callbacks: {
              title: (items) => (items.length ? items[0].dataset.label : ""),
              label: (item) => said(told, item.raw),
            },
          },
        },
      },
    });
  }

  function drawAll() {
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.font.size = 12;
    all("[data-chart]").forEach((card) => {
      const told = report.charts[Number(card.dataset.chart)];
      const chart = draw(card.querySelector("canvas"), told);
      drawn.push({ chart, told });
      legend(card, chart, told);
      const details = card.querySelector("details");
      details.addEventListener("toggle", () => listPoints(details, told), { once: true });
    });
  }

  function recolour() {
    drawn.forEach(({ chart, told }) => {
      const sets = chart.data.datasets;
      told.series.forEach((series, i) => {
        const { borderColor, backgroundColor } = dataset(series, told.xRange);
        Object.assign(sets[i], { borderColor, backgroundColor });
      });
      markers().forEach(({ borderColor, backgroundColor }, i) => {
        Object.assign(sets[told.series.length + i], { borderColor, backgroundColor });
      });
      [chart.options.scales.x, chart.options.scales.y].forEach((scale) => {
        scale.grid.color = variable("--grid");
        scale.ticks.color = variable("--muted");
        scale.title.color = variable("--muted");
      });
      chart.update();
    });
  }

  function listPoints(details, told) {
    const scroll = element("div");
    scroll.className = "scroll points";
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "group");
    const table = element("table");
    table.append(element("caption", "The points that are drawn"));
    table.caption.className = "hidden";
    const head = table.createTHead().insertRow();
    ["", told.x, told.y, report.threshold].forEach((words) => {
      const cell = element("th", words);
      cell.scope = "col";
      head.append(cell);
    });
    const body = table.createTBody();
    told.series.forEach((series) => {
      asPoints(series).forEach(({ x, y, threshold, label }) => {
        if (Number.isNaN(x) || Number.isNaN(y)) return;
        const row = body.insertRow();
        const name = element("th", label ?? series.name);
        name.scope = "row";
        row.append(name, element("td", score(x)), element("td", score(y)), element("td", threshold === null ? "" : score(threshold)));
      });
    });
    scroll.setAttribute("aria-label", "The points that are drawn");
    scroll.append(table);
    details.append(scroll);
  }

  function mark() {
    drawn.forEach(({ chart, told }) => {
      const [point, line] = chart.data.datasets.slice(-2);
      const of = told.marked?.every((name) => name in indices) ? told.marked : null;
      const [low, high] = told.xRange;
      const [bottom, top] = told.yRange;
      if (of) {
        const [x, y] = now ? of.map((name) => indices[name](now.counts)) : [NaN, NaN];
        point.data = Number.isFinite(x) && Number.isFinite(y) ? [{ x, y }] : [];
      } else if (now && told.crossed && now.threshold >= low && now.threshold <= high) {
        line.data = [{ x: now.threshold, y: bottom }, { x: now.threshold, y: top }];
      } else {
        line.data = [];
      }
      if (of || told.crossed) stale.add(chart);
    });
    requestAnimationFrame(redraw);
  }

  // What can be seen is drawn anew, once a frame; the rest when it comes into sight.
  const stale = new Set();
  function redraw() {
    stale.forEach((chart) => {
      const { top, bottom, height } = chart.canvas.getBoundingClientRect();
      if (height === 0 || bottom < 0 || top > window.innerHeight) return;
      stale.delete(chart);
      chart.update("none");
    });
  }
  window.addEventListener("scroll", redraw, { passive: true });

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
      const target = jump.dataset.jump === "cheapest" ? best : points.places[jump.dataset.jump];
      jump.setAttribute("aria-pressed", String(target === place));
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
      const at = points.places[jump.dataset.jump];
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
        slider.value = jump.dataset.jump === "cheapest" ? cheapest(costs()) : points.places[jump.dataset.jump];
        show();
      });
    });
  }

  /* ------------------------------------------------------------------------------------------------------ one of the models */

  function choose(place, speak = true) {
    chosen = place;
    all(".panel").forEach((panel) => {
      panel.hidden = Number(panel.dataset.model) !== chosen;
    });
    explore(chosen, speak);
  }
  const chooser = byId("model");
  if (chooser) chooser.addEventListener("change", () => choose(Number(chooser.value)));

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

  function readable(frame) {
    const { labels, cells } = report.models[Number(frame.dataset.picture)].matrix;
    const read = frame.closest("figure").querySelector(".read");
    const amounts = new Map(cells[0].map((actual, i) => [actual * labels.length + cells[1][i], cells[2][i]]));
    const sums = labels.map(() => 0);
    cells[0].forEach((actual, i) => { sums[actual] += cells[2][i]; });
    frame.addEventListener("pointermove", (event) => {
      const box = frame.getBoundingClientRect();
      const place = (at, from, size) => Math.min(labels.length - 1, Math.max(0, Math.floor(((at - from) / size) * labels.length)));
      const actual = place(event.clientY, box.top, box.height);
      const predicted = place(event.clientX, box.left, box.width);
      const found = amounts.get(actual * labels.length + predicted) || 0;
      const share = sums[actual] ? ` (${((100 * found) / sums[actual]).toFixed(1)} %)` : "";
      read.textContent = `Actually ${labels[actual]}, predicted ${labels[predicted]}: ${amount(found)}${share}`;
    });
    frame.addEventListener("pointerleave", () => { read.textContent = ""; });
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
    folded = all(".definitions details:not([open])");
    folded.forEach((details) => { details.open = true; });
  });
  window.addEventListener("afterprint", () => folded.forEach((details) => { details.open = false; }));

  sayTheme();
  startExplorer();
  drawAll();
  choose(0, false);
  all("table.sortable").forEach(sortable);
  all("[data-filter]").forEach(searchable);
  all("[data-picture]").forEach(readable);
  root.classList.add("ready");
})();
