/**
 * Begins to load the files of a page before its script asks for them, which it would do in up to five steps. The bundler calls this for each `import()`
 * of the console (`tools/console-files.ts`).
 * @param files paths without the leading slash
 */
export function preloadFiles(files: readonly string[] = []): void {
  for (const file of files) {
    const href = `/${file}`
    if (document.head.querySelector(`link[href="${href}"]`)) continue
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = href
    document.head.append(link)
  }
}
