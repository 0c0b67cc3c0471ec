/**
 * Shown at the bottom of the window when code for a click could not be loaded. The next click retries and hides this,
 * but browsers (as of 2026) cache a failed module until the page is reloaded (whatwg/html#6768).
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
