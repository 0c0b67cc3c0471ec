/** Expands a usage string into one line per form: `outbox [retry [ID]]` becomes `outbox` and `outbox retry [ID]`. */
export function expandUsage(name: string, usage: string): string[] {
  const rest = usage.slice(name.length).trim()
  const optional = /^\[(.*)\]$/.exec(rest)?.[1]
  const isOne = optional !== undefined && isBalanced(optional)
  const forms = (isOne ? optional : rest).split(' | ').map((form) => form.replace(new RegExp(`^${name} `), ''))
  return [...(isOne ? [name] : []), ...forms.map((form) => `${name} ${form}`.trim())]
}

/** Whether every closing bracket follows its opening one: `a] | b [c` is two groups, not the inside of one. */
function isBalanced(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '[') depth++
    if (character === ']' && --depth < 0) return false
  }
  return depth === 0
}
