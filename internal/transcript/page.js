
"use strict";
const search = document.getElementById("search"), found = document.getElementById("found");
const none = document.getElementById("none"), toggle = document.getElementById("toggle");
const items = [...document.querySelectorAll(".item")].map(e => ({e, text: e.textContent.toLowerCase()}));
const turns = [...document.querySelectorAll(".turn")];
const mostMarks = 2000;

function unmark() {
  for (const m of document.querySelectorAll("mark")) {
    const parent = m.parentNode;
    m.replaceWith(...m.childNodes);
    parent.normalize();
  }
}

function mark(element, word, left) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  for (let node of nodes) {
    for (let at; left > 0 && (at = node.data.toLowerCase().indexOf(word)) >= 0; left--) {
      const hit = node.splitText(at);
      node = hit.splitText(word.length);
      const m = document.createElement("mark");
      hit.replaceWith(m);
      m.append(hit);
    }
  }
  return left;
}

function open(all) {
  for (const d of document.querySelectorAll("details")) d.open = all;
  toggle.textContent = all ? "Close all" : "Open all";
  toggle.setAttribute("aria-pressed", String(all));
}

function run() {
  const word = search.value.trim().toLowerCase();
  unmark();
  let hits = 0, left = mostMarks;
  for (const {e, text} of items) {
    const hit = word === "" || text.includes(word);
    e.hidden = !hit;
    if (word !== "" && hit) {
      hits++;
      if (e.tagName === "DETAILS") e.open = true;
      left = mark(e, word, left);
    }
  }
  for (const t of turns) t.hidden = word !== "" && !t.querySelector(".item:not([hidden])");
  found.textContent = word === "" ? "" : hits === 1 ? "1 place" : hits + " places";
  none.hidden = word === "" || hits > 0;
  if (word === "") open(toggle.getAttribute("aria-pressed") === "true");
}

let timer;
search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(run, 120); });
search.form.addEventListener("submit", e => { e.preventDefault(); run(); });
toggle.addEventListener("click", () => open(toggle.getAttribute("aria-pressed") !== "true"));
document.addEventListener("keydown", e => {
  if (e.key === "/" && document.activeElement !== search) { e.preventDefault(); search.focus(); }
  if (e.key === "Escape" && document.activeElement === search) { search.value = ""; run(); }
});
