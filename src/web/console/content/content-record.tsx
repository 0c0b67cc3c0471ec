import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { getContent, type ContentRecord } from '#contract/console/content.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { ContentActions } from './content-actions.tsx'
import { ContentBanners } from './content-banners.tsx'
import { ContentControl } from './content-control.tsx'
import { ContentHistory } from './content-history.tsx'
import { consoleContentUrl } from './content-url.ts'
import { ContentPreview, hasPreview } from './content-preview.tsx'
import { ContentStateBadge } from './content-state-badge.tsx'
import { valueAt } from './field-values.rules.ts'
import { GroupField } from './group-field.tsx'
import { useContentEditor } from './use-content-editor.ts'
import { Link } from '#web/ui/link.tsx'

/** The editor of one record, with a preview and its versions. */
export default function ContentRecordPage({ kind, id }: { kind: string; id: string }) {
  const path = `${kind}/${id}`
  const loaded = useLoaded(getContent, { params: { kind, id } })
  if (loaded.value) return <Editor key={path} first={loaded.value} />
  return (
    <ConsolePage title="Pages & content">
      <WhenLoaded loaded={loaded} what="this record">
        {() => null}
      </WhenLoaded>
    </ConsolePage>
  )
}

function Editor({ first }: { first: ContentRecord }) {
  const navigate = useNavigate()
  const [today] = useState(() => dayOf(Date.now(), 'America/New_York'))
  // The success message of a record just created: creating it navigated to its own page.
  const doneBefore = (useLocation().state as { done?: string } | null)?.done
  const editor = useContentEditor(first, (id, done) => {
    void navigate(consoleContentUrl(first.kind.kind, id), { replace: true, state: { done } })
  })
  const { record, value, problems, edition, action, change } = editor
  const { kind, label, isSingle } = record.kind
  const isRefused = Object.keys(problems).length > 0
  const shownAction = {
    ...action,
    // Field errors are listed with the fields.
    failure: isRefused ? null : action.failure,
    done: action.done || (action.busy || action.failure ? '' : (doneBefore ?? '')),
  }
  const parent = isSingle
    ? { to: '/console/content', text: 'All pages & content' }
    : { to: consoleContentUrl(kind), text: label }
  const showsPage = hasPreview(kind)
  return (
    <ConsolePage
      title={record.title || 'Untitled'}
      lead={
        <>
          <Link to={parent.to}>{parent.text}</Link>
          {record.path && (
            <>
              {' · '}
              <a href={record.path} target="_blank" rel="noopener noreferrer">
                View on site
              </a>
            </>
          )}
        </>
      }
      action={record.state && <ContentStateBadge state={record.state} />}
    >
      <ActionMessages action={shownAction} />
      <ContentBanners editor={editor} />
      <div className={showsPage ? 'content-editor' : undefined}>
        <form
          className="card"
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
