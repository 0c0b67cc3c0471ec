import { useEffect, useState } from 'react'
import { saveNewsletter, type NewsletterBlock, type NewsletterDetail } from '#contract/console-newsletter.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { ActionMessages } from './action-messages.tsx'
import { callAsOfficer } from './console-door.ts'
import { useDraft } from './draft.ts'
import { NewsletterBlockFields, newBlock } from './newsletter-block-fields.tsx'
import { useAction } from './use-action.ts'

interface Words {
  name: string
  subject: string
  snippet: string
  blocks: NewsletterBlock[]
}

const ADDABLE: readonly (readonly [NewsletterBlock['kind'], string])[] = [
  ['text', 'Text'],
  ['picture', 'Picture'],
  ['event', 'Event'],
  ['news', 'News item'],
  ['button', 'Button'],
]
const SAVE_AFTER_MS = 20_000

/** A newsletter in blocks. What is typed stays in this browser at once, and is saved by itself after a pause. */
export function NewsletterComposer({
  newsletter,
  blocks,
  onSaved,
  reload,
}: {
  newsletter: NewsletterDetail
  blocks: NewsletterBlock[]
  onSaved(newsletter: NewsletterDetail): void
  reload(): void
}) {
  const { id, version, choices } = newsletter
  const saved: Words = { name: newsletter.name, subject: newsletter.subject, snippet: newsletter.snippet, blocks }
  const kept = useDraft(`newsletter:${id}:${version}`)
  const [words, setWords] = useState<Words>(() => (kept.text === '' ? saved : (JSON.parse(kept.text) as Words)))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const action = useAction()
  const isChanged = JSON.stringify(words) !== JSON.stringify(saved)

  function change(next: Words) {
    setWords(next)
    kept.setText(JSON.stringify(next))
  }

  async function save() {
    setErrors({})
    await action.run(
      'save',
      async () => {
        try {
          const answer = await callAsOfficer(saveNewsletter, { params: { id }, body: { ...words, version } })
          kept.forget()
          onSaved(answer)
        } catch (cause) {
          if (cause instanceof CallFailure) setErrors(cause.errors ?? {})
          throw cause
        }
      },
      'It is saved.',
    )
  }

  useEffect(() => {
    if (!isChanged || action.busy !== null || action.failure) return
    const timer = setTimeout(() => void save(), SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  })

  function move(from: number, to: number) {
    const next = [...words.blocks]
    const [block] = next.splice(from, 1)
    if (!block) return
    next.splice(to, 0, block)
    change({ ...words, blocks: next })
  }

  const line = (name: 'name' | 'subject' | 'snippet', label: string, hint?: string) => (
    <Field
      label={label}
      name={name}
      autoComplete="off"
      value={words[name]}
      onChange={(event) => change({ ...words, [name]: event.target.value })}
      {...(hint !== undefined && { hint })}
      {...(errors[name] !== undefined && { error: errors[name] })}
    />
  )

  return (
    <>
      <ActionMessages action={action} />
      {action.failure && (
        <Button variant="line" size="small" onClick={reload}>
          Look at what it says now
        </Button>
      )}
      {kept.isFound && isChanged && <Banner tone="note">This is what you had begun to write in this browser.</Banner>}
      <Sheet title="Words">
        {line('name', 'Title', 'The heading of the letter, and its name in the archive.')}
        {line('subject', 'Subject')}
        {line('snippet', 'First line', 'What mail programs show after the subject.')}
      </Sheet>
      <ol className="entries blocks">
        {words.blocks.map((block, index) => (
          <li key={index} className="sheet">
            <NewsletterBlockFields
              block={block}
              index={index}
              count={words.blocks.length}
              choices={choices}
              errors={errors}
              onChange={(next) =>
                change({ ...words, blocks: words.blocks.map((one, other) => (other === index ? next : one)) })
              }
              onMove={(to) => move(index, to)}
              onRemove={() => change({ ...words, blocks: words.blocks.filter((_, other) => other !== index) })}
            />
          </li>
        ))}
      </ol>
      <div className="buttons" role="group" aria-label="Add a block">
        <span className="soft">Add</span>
        {ADDABLE.map(([kind, label]) => (
          <Button
            key={kind}
            variant="line"
            size="small"
            onClick={() => change({ ...words, blocks: [...words.blocks, newBlock(kind, choices)] })}
          >
            {label}
          </Button>
        ))}
      </div>
      <div className="buttons">
        <Button busy={action.busy === 'save'} busyLabel="Saving" disabled={!isChanged} onClick={() => void save()}>
          Save
        </Button>
        <p role="status" className="small soft">
          {isChanged ? 'Kept in this browser; saved by itself after a pause.' : 'Everything is saved.'}
        </p>
      </div>
    </>
  )
}
