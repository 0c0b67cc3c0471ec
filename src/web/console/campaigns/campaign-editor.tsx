import type { CampaignDetail, NewsletterBlock } from '#contract/console/newsletter.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Panel } from '../ui/panel.tsx'
import { useNextFocus } from '../ui/use-next-focus.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { CampaignBlockFields, createBlock } from './campaign-block-fields.tsx'
import type { CampaignContent, CampaignDraft } from './use-campaign-draft.ts'

const ADDABLE: readonly (readonly [NewsletterBlock['kind'], string])[] = [
  ['text', 'Text'],
  ['picture', 'Image'],
  ['event', 'Event'],
  ['news', 'News item'],
  ['button', 'Button'],
]

/** The block editor of a newsletter or an email to members. */
export function CampaignEditor<Content extends CampaignContent>({
  choices,
  draft,
  nameHint,
  reload,
}: {
  choices: CampaignDetail['choices']
  draft: CampaignDraft<Content>
  /** What the title is for. */
  nameHint: string
  reload(): void
}) {
  const { content, isRestored, hasConflict, hasChoice, errors, action, change, keepMine, discardMine } = draft
  const moveFocus = useNextFocus(hasChoice)
  // The choice says what to do about a conflict.
  const failure = hasConflict && hasChoice ? null : action.failure

  function move(from: number, to: number) {
    const next = [...content.blocks]
    const [block] = next.splice(from, 1)
    if (!block) return
    next.splice(to, 0, block)
    change({ ...content, blocks: next })
  }

  const line = (name: 'name' | 'subject' | 'snippet', label: string, hint?: string) => (
    <Field
      label={label}
      name={name}
      autoComplete="off"
      value={content[name]}
      onChange={(event) => change({ ...content, [name]: event.target.value })}
      {...(hint !== undefined && { hint })}
      {...(errors[name] !== undefined && { error: errors[name] })}
    />
  )

  return (
    <>
      <ActionMessages action={{ ...action, failure }} />
      {failure && (
        <Button variant="line" size="small" onClick={reload}>
          Reload
        </Button>
      )}
      {isRestored && <Banner tone="note">We restored your unsaved draft.</Banner>}
      {hasChoice && (
        <Banner tone="warn" title="Another officer saved a newer version">
          <p>Your unsaved draft is based on an older version. Saving it would overwrite the newer one.</p>
          <div className="buttons">
            <Button
              size="small"
              onClick={() => {
                moveFocus()
                keepMine()
              }}
            >
              Keep my version
            </Button>
            <Button
              variant="line"
              size="small"
              onClick={() => {
                moveFocus()
                discardMine()
              }}
            >
              Discard mine
            </Button>
          </div>
        </Banner>
      )}
      <Panel title="Details">
        {line('name', 'Title', nameHint)}
        {line('subject', 'Subject')}
        {line('snippet', 'Preview text', 'Inboxes show it after the subject.')}
      </Panel>
      <ol className="entries blocks">
        {content.blocks.map((block, index) => (
          <li key={index} className="card">
            <CampaignBlockFields
              block={block}
              index={index}
              count={content.blocks.length}
              choices={choices}
              errors={errors}
              onChange={(next) =>
                change({ ...content, blocks: content.blocks.map((one, other) => (other === index ? next : one)) })
              }
              onMove={(to) => move(index, to)}
              onRemove={() => change({ ...content, blocks: content.blocks.filter((_, other) => other !== index) })}
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
            onClick={() => change({ ...content, blocks: [...content.blocks, createBlock(kind, choices)] })}
          >
            {label}
          </Button>
        ))}
      </div>
      <p role="status" className="small soft">
        {savingText(draft)}
      </p>
    </>
  )
}

function savingText<Content extends CampaignContent>(draft: CampaignDraft<Content>): string {
  const { isChanged, isComplete, hasConflict, hasChoice, problem } = draft
  if (!isChanged) return 'All changes saved.'
  if (hasConflict)
    return `Not saved: another officer saved a newer version. ${hasChoice ? 'Choose above which one to keep.' : 'Reload it above.'}`
  if (!isComplete) return 'These changes are kept on this device, and save themselves once nothing is empty.'
  return problem ?? 'Saving in a moment.'
}
