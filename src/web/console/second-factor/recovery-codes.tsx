import { useState } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { downloadFile } from '#web/shared/download-file.ts'
import { Button } from '#web/ui/button.tsx'

/** The officer's new recovery codes, to copy, download or print: they are shown only once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const [said, setSaid] = useState('')

  async function copy() {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      setSaid('The codes were copied.')
    } catch {
      setSaid('Your browser did not allow copying. Download or print the codes instead.')
    }
  }

  return (
    <div className="flow">
      <Banner tone="warn" title="Save these codes">
        Each code signs you in once if you lose your phone. They won’t be shown again: copy them to your password
        manager, download or print them.
      </Banner>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="buttons">
        <Button variant="line" onClick={() => void copy()}>
          Copy
        </Button>
        <Button
          variant="line"
          onClick={() =>
            downloadFile(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), 'recovery-codes.txt')
          }
        >
          Download
        </Button>
        <Button variant="line" onClick={() => window.print()}>
          Print
        </Button>
        <Button onClick={onDone}>I saved them</Button>
      </div>
      <p role="status" className="small soft">
        {said}
      </p>
    </div>
  )
}
