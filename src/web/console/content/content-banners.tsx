import { formatMoment } from '#contract/dates/dates.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ErrorSummary } from '#web/ui/error-summary.tsx'
import { Differences } from './content-history.tsx'
import type { ContentEditor } from './use-content-editor.ts'

/** Banners for unsaved drafts, edit conflicts, errors and the record's state. */
export function ContentBanners({ editor }: { editor: ContentEditor }) {
  const { problems, theirs, hasUnsaved, isAhead, record } = editor
  const wrong = Object.entries(problems).map(([name, message]) => ({ name, message }))
  const latest = theirs?.revisions[0]
  return (
    <>
      {hasUnsaved && (
        <Banner tone="note">
          <p>You have an unsaved draft from an earlier visit.</p>
          <div className="buttons">
            <Button size="small" onClick={editor.takeUnsaved}>
              Restore draft
            </Button>
            <Button variant="line" size="small" onClick={editor.dropUnsaved}>
              Discard
            </Button>
          </div>
        </Banner>
      )}
      {theirs && (
        <Banner
          tone="warn"
          title={latest ? `${latest.by} saved a newer version` : 'Another officer saved a newer version'}
        >
          {latest && (
            <>
              <p>{formatMoment(latest.at)}</p>
              <Differences differences={latest.differences} />
            </>
          )}
          <div className="buttons">
            <Button size="small" onClick={editor.keepMine}>
              Keep my version
            </Button>
            <Button variant="line" size="small" onClick={editor.takeTheirs}>
              Use theirs
            </Button>
          </div>
        </Banner>
      )}
      {isAhead && <Banner tone="note">Changes you made during the save are not saved yet.</Banner>}
      <ErrorSummary title={wrong.length === 1 ? 'Fix 1 problem' : `Fix ${wrong.length} problems`} errors={wrong} />
      {record.state === 'scheduled' && record.publishAt && (
        <Banner tone="note">{`Scheduled for ${record.publishAt.words}.`}</Banner>
      )}
      {record.held && <Banner tone="warn">{record.held}</Banner>}
      {record.state === 'changed' && (
        <Banner tone="note">These changes are a draft. Visitors still see the published version.</Banner>
      )}
      {record.state === 'deleted' && record.id !== 'all' && (
        <Banner tone="note">This is not on the site. Publish it, or restore a version.</Banner>
      )}
    </>
  )
}
