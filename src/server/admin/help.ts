/** Each form of a command on a line of its own, from its usage: `outbox [retry [ID]]` is `outbox` and `outbox retry [ID]`. */
export function formsOf(name: string, usage: string): string[] {
  const rest = usage.slice(name.length).trim()
  const optional = /^\[(.*)\]$/.exec(rest)?.[1]
  const isOne = optional !== undefined && isBalanced(optional)
  const forms = (isOne ? optional : rest).split(' | ').map((form) => form.replace(new RegExp(`^${name} `), ''))
  return [...(isOne ? [name] : []), ...forms.map((form) => `${name} ${form}`.trim())]
}

/** Whether each bracket that closes was opened before: `a] | b [c` is two, not the inside of one. */
function isBalanced(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '[') depth++
    if (character === ']' && --depth < 0) return false
  }
  return depth === 0
}
