import { useState, type ReactNode } from 'react'
import { formatMoment } from '#contract/dates/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ActionMessages } from '../shell/action-messages.tsx'
import { useAction } from '../shell/use-action.ts'
import { showToast } from './toasts.tsx'

interface ImportLine {
  id: string
  /** Of the file; left out if there was none. */
  filename?: string
  at: string
  by: string
  undoneAt: string | null
}

interface RecentImportsProps<Line extends ImportLine> {
  imports: readonly Line[]
  /** Beside the file's name, such as the system that it comes from. */
  badge?(line: Line): string | null
  /** What was imported, in a few words. */
  summary(line: Line): string
  /** More about it, such as rows that were not imported. */
  details?(line: Line): ReactNode
  /** What an undo does, as items of a list: shown before it is confirmed. */
  effects: ReactNode
  /** Undoes an import; resolves with what was done, in a sentence. */
  undo(id: string): Promise<string>
}

/** The imports of the last 30 days, each with its undo. */
export function RecentImports<Line extends ImportLine>(props: RecentImportsProps<Line>) {
  const { imports, badge, summary, details, effects, undo } = props
  const action = useAction()
  const [asked, setAsked] = useState<Line | null>(null)

  function confirm({ id }: Line) {
    setAsked(null)
    void action.run(id, async () => showToast(await undo(id)))
  }

  return (
    <>
      <ActionMessages action={action} />
      <ul className="records">
        {imports.map((line) => (
          <li key={line.id}>
            <div>
              <p>
                {line.filename ?? summary(line)} {badge?.(line) && <Badge tone="quiet">{badge(line)}</Badge>}{' '}
                {line.undoneAt && <Badge tone="quiet">Undone</Badge>}
              </p>
              <p className="small soft">
                {[formatMoment(line.at), line.by, ...(line.filename ? [summary(line)] : [])].join(' · ')}
              </p>
              {details?.(line)}
            </div>
            {line.undoneAt === null && (
              <Button
                variant="line"
                size="small"
                busy={action.busy === line.id}
                busyLabel="Undoing"
                onClick={() => setAsked(line)}
              >
                Undo
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Dialog open={asked !== null} onClose={() => setAsked(null)} title="Undo this import?" width="34rem">
        <ul>{effects}</ul>
        <div className="buttons">
          <Button variant="danger" onClick={() => asked && confirm(asked)}>
            Undo the import
          </Button>
          <Button variant="line" onClick={() => setAsked(null)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  )
}
