/* The first half of the page's script, which the second, report.js, follows: numbers as text, indices, and the charts with
   their legends, their zoom and their points. Text that came from outside is only ever set as textContent. */
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

  // From values to places on an axis and back: as Stretch in charts/scale.py has it.
  function scaleOf(stretch) {
    if (!stretch) return { to: (value) => value, from: (place) => place, stretched: false };
    const [centre, width] = stretch;
    return {
      to: (value) => Math.asinh((value - centre) / width),
      from: (place) => centre + width * Math.sinh(place),
      stretched: true,
    };
  }

  const asPoints = ({ points: [xs, ys], thresholds, labels, base }) =>
    xs.map((x, i) => ({
      x: x ?? NaN,
      y: ys[i] ?? NaN,
      threshold: thresholds && (thresholds[i] ?? Infinity),
      label: labels[i],
      base: base && base[i],
    }));
  // The same where they are drawn; `at` has the values.
  const asPlaces = (series, { across, along }) =>
    asPoints(series).map((point) => ({ ...point, at: [point.x, point.y], x: across.to(point.x), y: along.to(point.y) }));

  // A band lies beneath the lines, is no place to point at, and hides with its line.
  const edges = (band) =>
    [["lower", band.base], ["upper", band.points[1]]].map(([end, ys]) => ({
      ...{ ...band, base: null, points: [band.points[0], ys], labels: ys.map(() => `${end} end of the band`) },
    }));
  const bandsOf = (told) => ({
    id: "bands",
    beforeDatasetsDraw(chart) {
      const { ctx, scales, chartArea: { left, top, width, height } } = chart;
      ctx.save();
      ctx.beginPath();
      ctx.rect(left, top, width, height);
      ctx.clip();
      told.bands.forEach((band) => {
        if (!chart.isDatasetVisible(told.series.findIndex(({ name }) => name === band.name))) return;
        const [lower, upper] = edges(band).map((edge) => asPlaces(edge, told));
        ctx.beginPath();
        [...upper, ...lower.reverse()].forEach(({ x, y }) => ctx.lineTo(scales.x.getPixelForValue(x), scales.y.getPixelForValue(y)));
        ctx.fillStyle = filled(coloursOf(band.style)[isDark() ? 1 : 0], band.tint);
        ctx.fill();
      });
      ctx.restore();
    },
  });

  // Bars as one outline: x is the middle of each, and they are of one width.
  function outline(series, told) {
    const bars = asPlaces(series, told);
    const [low, high] = told.xRange.map(told.across.to);
    const half = (bars.length > 1 ? bars[1].x - bars[0].x : high - low) / 2;
    const sides = bars.flatMap((bar) => [{ ...bar, x: bar.x - half }, { ...bar, x: bar.x + half }]);
    const ends = sides.length ? [{ ...sides[0], y: 0 }, { ...sides[sides.length - 1], y: 0 }] : [];
    return [...ends.slice(0, 1), ...sides, ...ends.slice(1)];
  }
  // A bar from its base, in the form to which Chart.js itself would parse it.
  const stacked = (series, told) =>
    asPlaces(series, told).filter(({ y, base }) => y > base).map((bar) => {
      const ends = { barStart: bar.base, barEnd: bar.y, start: bar.base, end: bar.y, min: bar.base, max: bar.y };
      return { ...bar, _custom: ends };
    });

  // An unbroken line is one long stroke: of lines without dashes Chart.js merges the points in a column of pixels, and it shows.
  const widthOf = ({ model, faint }) => (faint ? 1 : model === null ? 1.25 : 2);
  function strokes(series) {
    if (series.kind === "points" || series.kind === "bars") return [];
    return series.dashes.length ? series.dashes.map((length) => length * widthOf(series)) : [1e6, 1];
  }

  const filled = (colour, opaque) => colour + Math.round(255 * opaque).toString(16).padStart(2, "0");
  function dataset(series, told) {
    const [light, dark] = coloursOf(series.style);
    const colour = isDark() ? dark : light;
    const points = series.kind === "points";
    const bars = series.kind === "bars";
    const shared = { label: series.name, model: series.model, kind: series.kind, hidden: series.extra, borderColor: colour };
    if (series.base) {
      return {
        ...shared,
        type: "bar",
        data: stacked(series, told),
        backgroundColor: filled(colour, series.tint),
        borderWidth: 0,
        grouped: false,
        categoryPercentage: 1,
        barPercentage: 0.78,
      };
    }
    return {
      ...shared,
      data: bars ? outline(series, told) : asPlaces(series, told),
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

  // The number with the fewest digits between two, as `roundest` in charts/scale.py finds it.
  function roundest(low, high) {
    if (low <= 0 && high >= 0) return 0;
    const slack = 1e-9 * (high - low);
    for (let power = Math.floor(Math.log10(Math.max(-low, high))); power > -320; power -= 1) {
      for (const digit of [5, 2, 1]) {
        const step = digit * 10 ** power;
        const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
        const nearest = Math.min(Math.max(Math.round((low + high) / 2 / step), first), last);
        const found = Number((nearest * step).toPrecision(15));
        if (low - slack <= found && found <= high + slack) return found;
      }
    }
    return low;
  }
  // Round numbers at about equal distances on a stretched axis.
  function roundTicks({ min, max }, scale) {
    const step = (max - min) / 6;
    const found = [];
    for (let part = 0; part < 6; part += 1) {
      const middle = min + ((max - min) * part) / 5;
      const [low, high] = [middle - 0.45 * step, middle + 0.45 * step].map((place) => scale.from(Math.min(Math.max(place, min), max)));
      const place = scale.to(roundest(low, high));
      if (!found.length || place >= found[found.length - 1] + 0.5 * step) found.push(place);
    }
    return found;
  }

  const inLines = (words) => (words.includes("\n") ? words.split("\n") : words);
  function axis(label, ends, ticks, scale, across, isTall = false) {
    const [low, high] = ends.map(scale.to);
    const named = new Map(ticks.map(([value, words]) => [scale.to(value), words]));
    const isWords = ticks.some(([, words]) => !/^[-−\d.,e+%]+$/.test(words));
    const shown = { color: variable("--muted"), maxRotation: isWords ? 40 : 0, padding: 4, maxTicksLimit: isTall ? ticks.length : isWords ? 12 : 6 };
    const found = {
      type: "linear",
      min: low,
      max: high,
      title: { display: true, text: lines(label, across), color: variable("--muted") },
      grid: { color: variable("--grid"), drawBorder: false, tickLength: 4 },
      ticks: { ...shown, includeBounds: false },
    };
    if (ticks.length) {
      found.afterBuildTicks = (drawnAxis) => {
        const { min, max } = drawnAxis;
        const zoomed = min !== low || max !== high;
        const places = zoomed && scale.stretched ? roundTicks(drawnAxis, scale) : [...named.keys()];
        drawnAxis.ticks = places.filter((value) => value >= min && value <= max).map((value) => ({ value }));
      };
      const written = (place) => (scale.stretched ? score(scale.from(place)) : "");
      found.ticks = { ...shown, autoSkip: true, callback: (place) => inLines(named.get(place) ?? written(place)) };
    }
    return found;
  }

  // Series of one name are one thing: the legend has them once, and hides them together. Of a single one it says nothing.
  function legend(card, chart, told) {
    const names = [...new Set(told.series.map((series) => series.legend).filter(Boolean))];
    if (names.length < 2) return;
    const extra = new Set(told.series.filter((series) => series.extra).map((series) => series.legend));
    const list = element("ul");
    list.className = "legend live";
    list.setAttribute("aria-label", "Legend: each button shows or hides a line");
    const items = new Map();
    function show(name, visible) {
      items.get(name)[1].setAttribute("aria-pressed", String(visible));
      told.series.forEach((series, place) => {
        if (series.legend === name) chart.setDatasetVisibility(place, visible);
      });
    }
    names.forEach((name) => {
      const button = element("button");
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      button.append(sample(told.series.find((series) => series.legend === name)), element("span", name));
      button.addEventListener("click", () => {
        const visible = button.getAttribute("aria-pressed") === "false";
        show(name, visible);
        chart.update();
      });
      const item = element("li");
      item.hidden = extra.has(name);
      item.append(button);
      items.set(name, [item, button]);
      list.append(item);
    });
    card.querySelector(".canvas").after(list);
    // Of classes that the reader chooses; the others have no entry.
    told.choose = (parts) => {
      told.series.filter((series) => series.part !== null).forEach((series) => {
        items.get(series.legend)[0].hidden = !parts.has(series.part);
        show(series.legend, parts.has(series.part));
      });
      chart.update();
    };
  }
  function sample(series) {
    const { kind, style, dashes } = series;
    const colour = style === null ? "var(--series-reference)" : `var(--series-${style % report.colours.length})`;
    const shape = {
      bars: ["rect", {
        ...{ x: 8, y: 1, width: 12, height: 10, fill: colour },
        ...(series.base ? { "fill-opacity": series.tint } : { "fill-opacity": 0.3, stroke: colour }),
      }],
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
  function said(told, { at, threshold, label, base }) {
    const [x, y] = at;
    const found = label === undefined ? [] : [label];
    if (base !== null) return [...found, `${told.y}: ${amount(y - base)}`];
    found.push(`${told.x}: ${told.across.stretched ? score(x) : placed(x, told.xTicks)}`);
    found.push(`${told.y}: ${told.along.stretched ? score(y) : placed(y, told.yTicks)}`);
    if (threshold !== null && !told.crossed) found.push(`${report.threshold}: ${score(threshold)}`);
    return found;
  }
  // On an axis with words of its own a number would say nothing: the nearest two words do.
  function placed(value, ticks) {
    if (!ticks.length) return score(value);
    const above = ticks.findIndex(([place]) => place >= value);
    if (above < 0) return `above ${ticks[ticks.length - 1][1]}`;
    if (ticks[above][0] === value || above === 0) return ticks[above][1];
    return `${ticks[above - 1][1]} to ${ticks[above][1]}`;
  }

  // On a narrow page the first line of a tick has to do.
  const narrowed = (ticks, across) =>
    across > 560 ? ticks : ticks.map(([place, words]) => [place, lines(words.split("\n")[0], across / 2 - 20).join("\n")]);

  function draw(canvas, told) {
    const across = canvas.parentNode.clientWidth || 400;
    return new Chart(canvas, {
      type: "line",
      plugins: [bandsOf(told)],
      data: { datasets: [...told.series.map((series) => dataset(series, told)), ...markers()] },
      options: {
        animation: false,
        parsing: false,
        normalized: true,
        maintainAspectRatio: false,
        interaction: { mode: "nearest", axis: "xy", intersect: false },
        font: { family: getComputedStyle(document.body).fontFamily },
        scales: {
          x: axis(told.x, told.xRange, told.xTicks, told.across, across - 60),
          y: axis(told.y, told.yRange, narrowed(told.yTicks, across), told.along, 248 * told.tall, told.tall > 1),
        },
        plugins: {
          legend: { display: false }, // below the canvas, of buttons
          tooltip: {
            filter: (item) => !item.dataset.mark,
            displayColors: false,
            callbacks: {
              title: (items) => (items.length ? items[0].dataset.label : ""),
              label: (item) => said(told, item.raw).flatMap((words) => words.split("\n")),
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
      [told.across, told.along] = [scaleOf(told.xScale), scaleOf(told.yScale)];
      told.bands = told.series.filter(({ kind }) => kind === "band");
      told.series = told.series.filter(({ kind }) => kind !== "band");
      const chart = draw(card.querySelector("canvas"), told);
      drawn.push({ chart, told });
      legend(card, chart, told);
      zoomable(card, chart);
      const details = card.querySelector("details.live");
      details.addEventListener("toggle", () => listPoints(details, told), { once: true });
    });
  }

  function recolour() {
    drawn.forEach(({ chart, told }) => {
      const sets = chart.data.datasets;
      told.series.forEach((series, i) => {
        const { borderColor, backgroundColor } = dataset(series, told);
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
    [...told.series, ...told.bands.flatMap(edges)].forEach((series) => {
      asPoints(series).forEach(({ x, y, threshold, label, base }) => {
        if (Number.isNaN(x) || Number.isNaN(y)) return;
        const row = body.insertRow();
        const name = element("th", base === null ? label ?? series.name : `${series.name}, ${label}`);
        name.scope = "row";
        const cells = base === null ? [score(x), score(y)] : [placed(x, told.xTicks), amount(y - base)];
        row.append(name, ...[...cells, threshold === null ? "" : score(threshold)].map((words) => element("td", words)));
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
        const values = now ? of.map((name) => indices[name](now.counts)) : [NaN, NaN];
        const [x, y] = [told.across.to(values[0]), told.along.to(values[1])];
        point.data = Number.isFinite(x) && Number.isFinite(y) ? [{ x, y }] : [];
      } else if (now && told.crossed && now.threshold >= low && now.threshold <= high) {
        line.data = [bottom, top].map((y) => ({ x: told.across.to(now.threshold), y: told.along.to(y) }));
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

  /* ------------------------------------------------------------------------------------------------------------------ zoom */

  // Drag over a part to see it larger, double-click for the whole. By keyboard: +, -, arrows, 0. By touch: the buttons, and
  // once zoomed a finger moves the part that is seen.
  const LEAST = 8; // pixels of a drag that is meant
  function zoomable(card, chart) {
    const frame = card.querySelector(".canvas");
    const { canvas } = chart;
    // Chart.js makes new options with each update.
    const seen = () => ["x", "y"].map((name) => [chart.options.scales[name].min, chart.options.scales[name].max]);
    const home = seen();
    const bar = element("div");
    bar.className = "zoom live";
    frame.tabIndex = 0;
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", "Zoom: plus and minus, arrow keys move, 0 shows the whole chart");

    function see(ranges) {
      ranges.forEach(([low, high], i) => {
        const [first, last] = home[i];
        const least = (last - first) * 1e-4;
        const width = Math.min(Math.max(high - low, least), last - first);
        const start = Math.min(Math.max((low + high - width) / 2, first), last - width);
        const whole = width >= (last - first) * (1 - 1e-9);
        Object.assign(chart.options.scales["xy"[i]], whole ? { min: first, max: last } : { min: start, max: start + width });
      });
      const zoomed = seen().some(([low, high], i) => low !== home[i][0] || high !== home[i][1]);
      frame.classList.toggle("zoomed", zoomed);
      bar.lastChild.disabled = !zoomed;
      chart.update("none");
    }
    const by = (factor) => see(seen().map(([low, high]) => {
      const [middle, half] = [(low + high) / 2, ((high - low) / 2) * factor];
      return [middle - half, middle + half];
    }));
    const move = (...shares) => see(seen().map(([low, high], i) => [low, high].map((end) => end + shares[i] * (high - low))));
    const whole = () => see(home);

    [["+", "Zoom in", () => by(0.5)], ["−", "Zoom out", () => by(2)], ["Whole", "The whole chart", whole]].forEach(([sign, words, act]) => {
      const button = element("button", sign);
      button.type = "button";
      button.title = words;
      button.setAttribute("aria-label", words);
      button.tabIndex = -1; // the keys do the same, with one stop of the tab key instead of three
      button.addEventListener("click", act);
      bar.append(button);
    });
    bar.lastChild.disabled = true;
    card.append(bar);

    frame.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const zoomed = frame.classList.contains("zoomed");
      const act = {
        "+": () => by(0.5), "=": () => by(0.5), "-": () => by(2), 0: whole,
        ...(zoomed && {
          Escape: whole, ArrowLeft: () => move(-0.2, 0), ArrowRight: () => move(0.2, 0), ArrowUp: () => move(0, 0.2), ArrowDown: () => move(0, -0.2),
        }),
      }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });

    let from = null;
    const lasso = element("div");
    lasso.className = "lasso";
    const within = (event) => {
      const box = canvas.getBoundingClientRect();
      const { left, right, top, bottom } = chart.chartArea;
      return [Math.min(Math.max(event.clientX - box.left, left), right), Math.min(Math.max(event.clientY - box.top, top), bottom)];
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || (event.pointerType === "touch" && !frame.classList.contains("zoomed"))) return;
      from = within(event);
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!from) return;
      const to = within(event);
      if (event.pointerType === "touch") {
        const { width, height } = chart.chartArea;
        move((from[0] - to[0]) / width, (to[1] - from[1]) / height);
        from = to;
        return;
      }
      const [x, y] = [0, 1].map((i) => [Math.min(from[i], to[i]), Math.abs(from[i] - to[i])]);
      if (Math.max(x[1], y[1]) < LEAST) return;
      Object.assign(lasso.style, { left: `${x[0]}px`, width: `${x[1]}px`, top: `${y[0]}px`, height: `${y[1]}px` });
      frame.append(lasso);
    });
    const end = (event) => {
      if (!from) return;
      const to = within(event);
      const start = from;
      from = null;
      lasso.remove();
      if (event.type === "pointercancel" || event.pointerType === "touch") return;
      const parts = [0, 1].map((i) => Math.abs(start[i] - to[i]) >= LEAST);
      if (!parts[0] && !parts[1]) return;
      // A drag along one axis zooms that one.
      see(seen().map((now, i) => {
        if (!parts[i]) return now;
        return [start[i], to[i]].map((pixel) => chart.scales["xy"[i]].getValueForPixel(pixel)).sort((a, b) => a - b);
      }));
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("dblclick", whole);
  }

