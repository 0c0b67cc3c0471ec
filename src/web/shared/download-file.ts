/** Downloads a file. */
export function downloadFile(content: Blob, filename: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  // The browser has read the URL once the click handler returns.
  setTimeout(() => URL.revokeObjectURL(url))
}
