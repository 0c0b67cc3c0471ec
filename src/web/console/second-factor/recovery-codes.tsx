import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  return (
    <div className="flow">
      <Banner tone="warn" title="Save these codes">
        Each code signs you in once if you lose your phone. They won’t be shown again: print them or save them in your
        password manager.
      </Banner>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="buttons">
        <Button variant="line" onClick={() => window.print()}>
          Print
        </Button>
        <Button onClick={onDone}>I saved them</Button>
      </div>
    </div>
  )
}
