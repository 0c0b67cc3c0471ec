/** Hands a file to the browser to be saved. */
export function saveFile(content: Blob, filename: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  // The browser has taken it once the click is over.
  setTimeout(() => URL.revokeObjectURL(url))
}
