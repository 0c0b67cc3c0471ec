import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import type { useUploads } from './use-uploads.ts'

const STATES = { waiting: 'Waiting', sending: 'Uploading…', done: 'Added', failed: 'Not added' } as const
const TONES = { waiting: 'quiet', sending: 'quiet', done: 'ok', failed: 'bad' } as const

/** The files that are being uploaded, each with its own progress. */
export function UploadList({ uploads: all }: { uploads: ReturnType<typeof useUploads> }) {
  const { uploads, retry, dismiss } = all
  if (uploads.length === 0) return null
  const ended = uploads.filter(({ state }) => state === 'done' || state === 'failed').length
  const failed = uploads.filter(({ state }) => state === 'failed').length
  return (
    <section className="uploads" aria-label="Uploads">
      <p role="status">
        {ended === uploads.length
          ? `${ended - failed} added${failed > 0 ? `, ${failed} not added` : ''}`
          : `${ended} of ${uploads.length} done`}
      </p>
      {ended < uploads.length && (
        <progress className="upload-progress" aria-label="Files done" value={ended} max={uploads.length} />
      )}
      <ul>
        {uploads.map(({ id, name, state, status, problem }) => (
          <li key={id}>
            <span className="upload-name">{name}</span>
            {state === 'sending' ? (
              <>
                <progress aria-label={`Uploading ${name}`} />
                <span className="small soft">{status}</span>
              </>
            ) : (
              <Badge tone={TONES[state]}>{STATES[state]}</Badge>
            )}
            {problem && <span className="error-text">{problem}</span>}
            {state === 'failed' && (
              <>
                <Button variant="line" size="small" aria-label={`Try ${name} again`} onClick={() => retry(id)}>
                  Try again
                </Button>
                <Button variant="line" size="small" aria-label={`Dismiss ${name}`} onClick={() => dismiss(id)}>
                  Dismiss
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
