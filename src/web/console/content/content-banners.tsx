import { formatMoment } from '#contract/dates.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ErrorSummary } from '#web/ui/error-summary.tsx'
import { Differences } from './content-history.tsx'
import type { ContentEditor } from './use-content-editor.ts'

/** What the officer should know before going on: something unsaved, somebody else's change, what is wrong. */
export function ContentBanners({ editor }: { editor: ContentEditor }) {
  const { problems, theirs, unsaved, isAhead, record } = editor
  const wrong = Object.entries(problems).map(([name, message]) => ({ name, message }))
  const latest = theirs?.revisions[0]
  return (
    <>
      {unsaved && (
        <Banner tone="note">
          <p>You wrote something here before that was not saved.</p>
          <div className="buttons">
            <Button size="small" onClick={editor.takeUnsaved}>
              Go on with it
            </Button>
            <Button variant="line" size="small" onClick={editor.dropUnsaved}>
              Forget it
            </Button>
          </div>
        </Banner>
      )}
      {theirs && (
        <Banner tone="warn" title="Somebody else saved this meanwhile">
          {latest && (
            <>
              <p>
                {latest.by}, {formatMoment(latest.at)}
              </p>
              <Differences differences={latest.differences} />
            </>
          )}
          <div className="buttons">
            <Button size="small" onClick={editor.keepMine}>
              Go on with mine
            </Button>
            <Button variant="line" size="small" onClick={editor.takeTheirs}>
              Take theirs
            </Button>
          </div>
        </Banner>
      )}
      {isAhead && <Banner tone="note">What you typed while it was saved is not saved yet.</Banner>}
      <ErrorSummary
        title={wrong.length === 1 ? 'One thing needs another look' : `${wrong.length} things need another look`}
        errors={wrong}
      />
      {record.state === 'scheduled' && record.publishAt && (
        <Banner tone="note">{`Appears by itself on ${record.publishAt.words}.`}</Banner>
      )}
      {record.held && <Banner tone="warn">{record.held}</Banner>}
      {record.state === 'changed' && (
        <Banner tone="note">Visitors still see the published version: these changes are a draft.</Banner>
      )}
      {record.state === 'deleted' && record.id !== 'all' && (
        <Banner tone="note">This is not on the site. Publish it, or bring back one of its versions.</Banner>
      )}
    </>
  )
}
