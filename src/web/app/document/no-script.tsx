// Without scripts the menus are always open and the header scrolls with the page.
const OPEN_MENUS = `
.header{position:relative}
.bar{flex-wrap:wrap}
.announcement,.carousel-controls,.needs-script,.skeleton{display:none}
.menu{width:100%}
.menu>button,.dropdown>button{display:none}
.menu>nav[hidden]{display:grid;position:static;max-height:none;box-shadow:none;padding:0}
.menu:has(nav)::before{display:none}
.dropdown-items[hidden]{display:flex;flex-wrap:wrap;position:static;border:0;box-shadow:none;padding:0}
@media(min-width:48rem){.menu{display:none}}
`

/**
 * Navigation without JavaScript. Belongs in the head after the style sheet it overrides. The style is inline so that
 * the content security policy can list its hash.
 */
export function NoScript() {
  return (
    <noscript>
      {/* Browsers that run scripts ignore this element. */}
      {import.meta.env.SSR && <style>{OPEN_MENUS}</style>}
    </noscript>
  )
}
