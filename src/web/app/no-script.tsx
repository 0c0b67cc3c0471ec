// Menus that a script would open lie open instead, and the header scrolls away with the page.
const OPEN_MENUS = `
.header{position:relative}
.bar{flex-wrap:wrap}
.notice,.carousel-controls,.needs-script,.skeleton{display:none}
.menu{width:100%}
.menu>button,.dropdown>button{display:none}
.menu>nav[hidden]{display:grid;position:static;width:auto;max-height:none;border:0;box-shadow:none;padding:0}
.dropdown-items[hidden]{display:flex;flex-wrap:wrap;position:static;border:0;box-shadow:none;padding:0}
@media(min-width:48rem){.menu{display:none}}
`

/** Navigation without JavaScript, for the head, after the style sheet it overrides. The style is part of the page's text, so that its hash can stand in the content security policy. */
export function NoScript() {
  return (
    <noscript>
      {/* A browser whose scripts run never looks in here. */}
      {import.meta.env.SSR && <style>{OPEN_MENUS}</style>}
    </noscript>
  )
}
