import type { NewsletterBlock, NewsletterDetail } from '#contract/console-newsletter.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { ActionMessages } from './action-messages.tsx'
import { NewsletterBlockFields, newBlock } from './newsletter-block-fields.tsx'
import type { NewsletterDraft } from './use-newsletter-draft.ts'

const ADDABLE: readonly (readonly [NewsletterBlock['kind'], string])[] = [
  ['text', 'Text'],
  ['picture', 'Picture'],
  ['event', 'Event'],
  ['news', 'News item'],
  ['button', 'Button'],
]

/** A newsletter in blocks. */
export function NewsletterComposer({
  choices,
  draft,
  reload,
}: {
  choices: NewsletterDetail['choices']
  draft: NewsletterDraft
  reload(): void
}) {
  const { words, isChanged, isFound, older, errors, action, change, save, takeOlder, dropOlder } = draft

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
      {isFound && <Banner tone="note">This is what you had begun to write in this browser.</Banner>}
      {older && (
        <Banner tone="warn" title="Somebody else saved this newsletter meanwhile">
          <p>
            What you had begun to write in this browser is from before. Saved over what stands here now, it would undo
            that.
          </p>
          <div className="buttons">
            <Button size="small" onClick={takeOlder}>
              Go on with mine
            </Button>
            <Button variant="line" size="small" onClick={dropOlder}>
              Forget mine
            </Button>
          </div>
        </Banner>
      )}
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
