/**
 * At the foot of the window, when what a press was to open could not be fetched. The next press fetches it anew and puts this away, but browsers of 2026
 * and before remember that a module failed until the page is loaded anew (whatwg/html#6768).
 */
export function LoadFailure() {
  return (
    <p className="banner bad load-failure" role="alert">
      <span>
        This could not be loaded. Check your connection, then try again or <a href="">reload the page</a>.
      </span>
    </p>
  )
}
