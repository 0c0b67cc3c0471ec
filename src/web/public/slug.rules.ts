/** An id made from a text, for links to it: 'What are the dues?' becomes 'what-are-the-dues'. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
