import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { getContent, type ContentRecord } from '#contract/console-content.ts'
import { dayOf } from '#contract/dates.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { ContentActions } from '#web/features/content/content-actions.tsx'
import { ContentBanners } from '#web/features/content/content-banners.tsx'
import { ContentControl } from '#web/features/content/content-control.tsx'
import { ContentHistory } from '#web/features/content/content-history.tsx'
import { consoleContentPath } from '#web/features/content/content-path.ts'
import { ContentPreview, hasPreview } from '#web/features/content/content-preview.tsx'
import { ContentStateBadge } from '#web/features/content/content-state-badge.tsx'
import { valueAt } from '#web/features/content/content-values.rules.ts'
import { GroupField } from '#web/features/content/group-field.tsx'
import { useContentEditor } from '#web/features/content/use-content-editor.ts'
import { Link } from '#web/ui/link.tsx'

/** One record: its form, how its page will look, and its versions. */
export default function ContentRecordPage({ id: place }: { id: string }) {
  const [kind = '', id = ''] = place.split('/')
  const loaded = useLoaded(place, () => callAsOfficer(getContent, { params: { kind, id } }))
  if (loaded.value) return <Editor key={place} first={loaded.value} />
  return (
    <ConsolePage title="Content">
      <WhenLoaded loaded={loaded} what="this record">
        {() => null}
      </WhenLoaded>
    </ConsolePage>
  )
}

function Editor({ first }: { first: ContentRecord }) {
  const navigate = useNavigate()
  const [today] = useState(() => dayOf(Date.now(), 'America/New_York'))
  // What was done to a record that was new a moment ago: its page is another one.
  const made = (useLocation().state as { done?: string } | null)?.done
  const editor = useContentEditor(first, (id, done) => {
    void navigate(consoleContentPath(first.kind.kind, id), { replace: true, state: { done } })
  })
  const { record, value, problems, edition, action, change } = editor
  const { kind, label, isSingle } = record.kind
  const isRefused = Object.keys(problems).length > 0
  const said = {
    ...action,
    // What is wrong with fields is listed with them.
    failure: isRefused ? null : action.failure,
    done: action.done || (action.busy || action.failure ? '' : (made ?? '')),
  }
  const parent = isSingle
    ? { to: '/console/content', words: 'All content' }
    : { to: consoleContentPath(kind), words: label }
  const showsPage = hasPreview(kind)
  return (
    <ConsolePage
      title={record.title || 'Untitled'}
      lead={
        <>
          <Link to={parent.to}>{parent.words}</Link>
          {record.path && (
            <>
              {' · '}
              <a href={record.path} target="_blank" rel="noopener noreferrer">
                See it on the site
              </a>
            </>
          )}
        </>
      }
      action={record.state && <ContentStateBadge state={record.state} />}
    >
      <ActionMessages action={said} />
      <ContentBanners editor={editor} />
      <div className={showsPage ? 'content-desk' : undefined}>
        <form
          className="sheet"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
          }}
        >
          {record.fields.map((field) =>
            field.control === 'group' ? (
              <GroupField
                key={`${edition} ${field.name}`}
                field={field}
                value={valueAt(value, field.name)}
                problems={problems}
                onChange={(things) => change(field.name, things)}
              />
            ) : (
              <ContentControl
                key={`${edition} ${field.name}`}
                field={field}
                path={field.name}
                value={valueAt(value, field.name)}
                error={problems[field.name]}
                isFixed={field.isFixed && record.id !== null}
                onChange={(part) => change(field.name, part)}
              />
            ),
          )}
          <ContentActions editor={editor} />
        </form>
        {showsPage && <ContentPreview kind={kind} value={value} today={today} />}
      </div>
      <ContentHistory
        revisions={record.revisions}
        isBusy={action.busy === 'restore'}
        onRestore={(number) => void editor.restore(number)}
      />
    </ConsolePage>
  )
}
