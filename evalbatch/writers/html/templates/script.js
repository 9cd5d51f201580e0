"use strict";
// Filters and sorts the table that a form names. Without scripts the form stays hidden, and the
// table shows everything.
for (const form of document.querySelectorAll("form[data-filters]")) {
  const table = document.getElementById(form.dataset.filters);
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const status = form.querySelector("[role=status]");
  const compare = new Intl.Collator("en", { numeric: true }).compare;

  const filter = () => {
    const { text, state, reason } = form.elements;
    const wanted = text.value.trim().toLowerCase();
    rows.forEach((row, index) => {
      row.hidden = !(
        texts[index].includes(wanted) &&
        (!state.value || row.dataset.state === state.value) &&
        (!reason?.value || row.dataset.reasons.split(" ").includes(reason.value))
      );
    });
    const shown = rows.filter((row) => !row.hidden).length;
    status.textContent = `${shown.toLocaleString("en")} of the ${rows.length.toLocaleString("en")} listed are shown.`;
  };

  const sort = (header, descending) => {
    for (const other of table.tHead.rows[0].cells) {
      other.removeAttribute("aria-sort");
    }
    header.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const key =
      header.dataset.sort === "row"
        ? (row) => row.dataset.row
        : (row) => row.cells[header.cellIndex].textContent.trim();
    // Rows that are alike keep the order of the sheet.
    const sorted = [...rows].sort((one, other) => compare(key(one), key(other)) * (descending ? -1 : 1));
    body.append(...sorted);
  };

  for (const header of table.querySelectorAll("th[data-sort]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => sort(header, header.getAttribute("aria-sort") === "ascending"));
  }
  form.addEventListener("input", filter);
  // The fields are empty only after the event.
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter();
}
