import { useState } from 'react'
import type { ContentField, ContentValue } from '#contract/console/content.ts'
import { Button } from '#web/ui/button.tsx'
import { ContentControl } from './content-control.tsx'
import { textOf, valueAt, withValueAt } from './field-values.rules.ts'

interface GroupFieldProps {
  field: ContentField
  value: unknown
  problems: Record<string, string>
  onChange(things: ContentValue[]): void
}

/** A list of collapsible items with fields, which can be added, moved and removed. */
export function GroupField({ field: { name, label, fields }, value, problems, onChange }: GroupFieldProps) {
  const things = (Array.isArray(value) ? value : []) as ContentValue[]
  // Stable keys while items move.
  const [keys, setKeys] = useState(() => things.map((_, index) => index))
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const [seen, setSeen] = useState<GroupFieldProps['problems']>({})
  const keyOf = (index: number) => keys[index] ?? index
  const isWrong = (index: number) => Object.keys(problems).some((path) => path.startsWith(`${name}.${index}.`))

  // Errors open an item; fixing them does not close it while the officer types.
  if (seen !== problems) {
    setSeen(problems)
    for (const [index] of things.entries()) if (isWrong(index)) open(keyOf(index), true)
  }

  function open(key: number, isOpen: boolean) {
    setOpened((before) => new Set(isOpen ? [...before, key] : [...before].filter((other) => other !== key)))
  }

  function change(nextThings: ContentValue[], nextKeys: number[]) {
    setKeys(nextKeys)
    onChange(nextThings)
  }

  function move(from: number, to: number) {
    change(
      swap(things, from, to),
      swap(
        things.map((_, index) => keyOf(index)),
        from,
        to,
      ),
    )
  }

  return (
    <fieldset className="group">
      <legend>{label}</legend>
      {problems[name] && <p className="error-text">{problems[name]}</p>}
      {things.length === 0 && <p className="soft">None yet.</p>}
      <ol className="group-items">
        {things.map((thing, index) => {
          const title = nameOf(fields, thing) || `New, number ${index + 1}`
          const key = keyOf(index)
          return (
            <li key={key}>
              <details
                open={opened.has(key)}
                onToggle={({ currentTarget }) => {
                  if (currentTarget.open !== opened.has(key)) open(key, currentTarget.open)
                }}
              >
                <summary>
                  {title}
                  {isWrong(index) && <span className="error-text">needs attention</span>}
                </summary>
                <div className="group-item">
                  {fields.map((one) => {
                    const path = `${name}.${index}.${one.name}`
                    return (
                      <ContentControl
                        key={one.name}
                        field={one}
                        path={path}
                        value={valueAt(thing, one.name)}
                        error={problems[path]}
                        isFixed={false}
                        onChange={(part) =>
                          onChange(
                            things.map((other, at) => (at === index ? withValueAt(other, one.name, part) : other)),
                          )
                        }
                      />
                    )
                  })}
                  <div className="buttons">
                    <Button
                      variant="line"
                      size="small"
                      aria-label={`Move ${title} up`}
                      disabled={index === 0}
                      onClick={() => move(index, index - 1)}
                    >
                      Up
                    </Button>
                    <Button
                      variant="line"
                      size="small"
                      aria-label={`Move ${title} down`}
                      disabled={index === things.length - 1}
                      onClick={() => move(index, index + 1)}
                    >
                      Down
                    </Button>
                    <Button
                      variant="line"
                      size="small"
                      aria-label={`Remove ${title}`}
                      onClick={() =>
                        change(
                          things.filter((_, at) => at !== index),
                          things.map((_, at) => keyOf(at)).filter((_, at) => at !== index),
                        )
                      }
                    >
                      Remove
                    </Button>
                  </div>
                </div>
              </details>
            </li>
          )
        })}
      </ol>
      <Button
        variant="line"
        size="small"
        onClick={() => {
          const kept = things.map((_, at) => keyOf(at))
          const key = Math.max(-1, ...kept) + 1
          open(key, true)
          change([...things, {}], [...kept, key])
        }}
      >
        Add
      </Button>
    </fieldset>
  )
}

function nameOf(fields: GroupFieldProps['field']['fields'], thing: ContentValue): string {
  return textOf(thing[fields[0]?.name ?? ''])
}

function swap<T>(list: readonly T[], one: number, other: number): T[] {
  return list.map((item, index) => (index === one ? list[other] : index === other ? list[one] : item) as T)
}
