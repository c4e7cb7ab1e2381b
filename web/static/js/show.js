// Shows what was typed into a field of a password. Without this file the button is not
// seen.
//
//   button[data-shows]  the id of the field; aria-pressed says that it is shown
for (const button of document.querySelectorAll("[data-shows]")) {
  const field = document.getElementById(button.dataset.shows);
  const show = (on) => {
    field.type = on ? "text" : "password";
    button.setAttribute("aria-pressed", on);
  };
  button.addEventListener("click", () => {
    show(field.type === "password");
    field.focus();
  });
  // Browsers remember texts that were sent, and offer to keep passwords.
  field.form.addEventListener("submit", () => show(false));
  button.hidden = false;
}
