/** Loaded by a browser that lost the style of the brand. */
export { brandCss } from '#contract/brand/brand-css.ts'
