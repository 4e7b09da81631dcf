export { default } from "./_javascript.mjs";
