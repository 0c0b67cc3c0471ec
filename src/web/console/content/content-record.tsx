import { useState, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { getContent, type ContentRecord } from '#contract/console/content.ts'
import { dayOf, formatMoment } from '#contract/dates/dates.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { ContentActions } from './content-actions.tsx'
import { ContentBanners } from './content-banners.tsx'
import { ContentHistory } from './content-history.tsx'
import { consoleContentUrl } from './content-url.ts'
import { ContentPreview, hasPreview } from './content-preview.tsx'
import { ContentStateBadge } from './content-state-badge.tsx'
import { ContentFields } from './group-field.tsx'
import { useContentEditor, type ContentEditor } from './use-content-editor.ts'
import { Link } from '#web/ui/link.tsx'
import type { DropdownProps } from '#web/ui/overlays/dropdown.tsx'

/** The editor of one record, with a preview and its versions. */
export default function ContentRecordPage({
  kind,
  id,
  ...around
}: {
  kind: string
  id: string
} & Around) {
  const path = `${kind}/${id}`
  const loaded = useLoaded(getContent, { params: { kind, id } })
  if (loaded.value) return <Editor key={path} first={loaded.value} {...around} />
  return (
    <ConsolePage title="Pages & content">
      <WhenLoaded loaded={loaded} what="this record">
        {() => null}
      </WhenLoaded>
    </ConsolePage>
  )
}

/** Where the record is part of a larger page: the tabs of that page, and what else can be done there. */
interface Around {
  tabs?: ReactNode
  /** The list it belongs to, if that is not the content's. */
  parent?: { to: string; text: string }
  more?: DropdownProps['items']
}

function Editor({ first, tabs, more, parent: list }: { first: ContentRecord } & Around) {
  const navigate = useNavigate()
  const [today] = useState(() => dayOf(Date.now()))
  // The success message of a record just created: creating it navigated to its own page.
  const doneBefore = (useLocation().state as { done?: string } | null)?.done
  const editor = useContentEditor(first, {
    onCreated(id, done) {
      void navigate(consoleContentUrl(first.kind.kind, id), { replace: true, state: { done } })
    },
  })
  const { record, value, problems, action } = editor
  const { kind, label, isSingle } = record.kind
  const isRefused = Object.keys(problems).length > 0
  const shownAction = {
    ...action,
    // Field errors are listed with the fields.
    failure: isRefused ? null : action.failure,
    done: action.done || (action.busy || action.failure ? '' : (doneBefore ?? '')),
  }
  const parent =
    list ??
    (isSingle ? { to: '/console/content', text: 'Pages & content' } : { to: consoleContentUrl(kind), text: label })
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
          )}{' '}
          {record.state && <ContentStateBadge state={record.state} />} <DraftStatus editor={editor} />
        </>
      }
      action={<ContentActions editor={editor} more={more} />}
    >
      {tabs}
      <ActionMessages action={shownAction} />
      <ContentBanners editor={editor} />
      <div className="content-editor">
        <form
          className="box box-body"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
          }}
        >
          <ContentFields editor={editor} />
        </form>
        <div className="stack">
          {hasPreview(kind) && <ContentPreview record={record} value={value} today={today} />}
          <ContentHistory
            revisions={record.revisions}
            isBusy={action.busy === 'restore'}
            onRestore={(number) => void editor.restore(number)}
          />
        </div>
      </div>
    </ConsolePage>
  )
}

/** "Draft saved 9:12 AM": drafts save themselves. */
function DraftStatus({ editor: { autosave, isChanged, record } }: { editor: ContentEditor }) {
  const { savedAt, problem } = autosave
  const [latest] = record.revisions
  const text =
    problem ??
    (savedAt !== null
      ? `Draft saved ${savedAt}`
      : isChanged
        ? 'Not saved yet'
        : latest && `Changed ${formatMoment(latest.at)} by ${latest.by}`)
  return (
    <span className="small soft" role="status">
      {text}
    </span>
  )
}
