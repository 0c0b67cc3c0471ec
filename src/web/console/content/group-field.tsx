import { useRef, useState } from 'react'
import { valueAt, type ContentField, type ContentValue } from '#contract/console/content.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { ICONS } from '../ui/console-icons.ts'
import { RowMenu } from '../ui/row-menu.tsx'
import { moved, useDragOrder } from '../ui/use-drag-order.ts'
import { ContentControl } from './content-control.tsx'
import { textOf, withValueAt } from './field-values.rules.ts'
import type { ContentEditor } from './use-content-editor.ts'

interface GroupFieldProps {
  /** Of the record, or another name that no other group on the page has. */
  kind: string
  field: ContentField
  value: unknown
  problems: Record<string, string>
  onChange(things: ContentValue[]): void
}

/** A list of collapsible items with fields, which can be added, removed, and moved by dragging or in their menu. */
export function GroupField({ kind, field: { name, label, fields }, value, problems, onChange }: GroupFieldProps) {
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
    const order = things.map((_, index) => keyOf(index))
    change(moved(things, from, to), moved(order, from, to))
  }
  const list = useRef<HTMLOListElement>(null)
  const drag = useDragOrder(list, { onMove: move })

  return (
    <fieldset className="group">
      <legend>{label}</legend>
      {problems[name] && <p className="error-text">{problems[name]}</p>}
      {things.length === 0 && <p className="soft">None yet.</p>}
      <ol className="group-items" ref={list}>
        {things.map((thing, index) => {
          const title = nameOf(fields, thing) || `New, number ${index + 1}`
          const key = keyOf(index)
          return (
            <li key={key} data-dragged={drag.dragged === index || undefined}>
              <span className="drag-handle" aria-hidden="true" onPointerDown={drag.start(index)}>
                <Icon d={ICONS.drag} strokeWidth={3} />
              </span>
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
                        path={`${kind}.${path}`}
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
                </div>
              </details>
              <RowMenu
                name={`Actions for ${title}`}
                items={[
                  ...(index > 0 ? [{ label: 'Move up', onSelect: () => move(index, index - 1) }] : []),
                  ...(index < things.length - 1
                    ? [{ label: 'Move down', onSelect: () => move(index, index + 1) }]
                    : []),
                  {
                    label: 'Remove',
                    onSelect: () =>
                      change(
                        things.filter((_, at) => at !== index),
                        things.map((_, at) => keyOf(at)).filter((_, at) => at !== index),
                      ),
                  },
                ]}
              />
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

/** Its first field, or the chosen option of that. */
function nameOf(fields: GroupFieldProps['field']['fields'], thing: ContentValue): string {
  for (const { name, options } of fields.slice(0, 2)) {
    const text = textOf(thing[name])
    if (text !== '') return options.find(({ value }) => value === text)?.label ?? text
  }
  return ''
}

/** All fields of a record. The address of one that was published stays as it is. */
export function ContentFields({ editor }: { editor: ContentEditor }) {
  const { record, value, problems, edition, change } = editor
  return record.fields.map((field) =>
    field.control === 'group' ? (
      <GroupField
        key={`${edition} ${field.name}`}
        kind={record.kind.kind}
        field={field}
        value={valueAt(value, field.name)}
        problems={problems}
        onChange={(things) => change(field.name, things)}
      />
    ) : (
      <ContentControl
        key={`${edition} ${field.name}`}
        field={field}
        path={`${record.kind.kind}.${field.name}`}
        value={valueAt(value, field.name)}
        error={problems[field.name]}
        isFixed={field.isFixed && record.id !== null}
        onChange={(part) => change(field.name, part)}
      />
    ),
  )
}
