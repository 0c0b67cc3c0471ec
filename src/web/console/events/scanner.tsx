import { useEffect, useRef, useState } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import type { CodeReader } from './code-reader.ts'

const LOOK_EVERY_MS = 200
/** Ignores the same code while it stays in view. */
const SAME_CODE_MS = 3_000

/** Scans QR codes with the camera. */
export function Scanner({ reader, onCode }: { reader: Promise<CodeReader>; onCode(code: string): void }) {
  const video = useRef<HTMLVideoElement>(null)
  const latestOnCode = useRef(onCode)
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    latestOnCode.current = onCode
  })

  useEffect(() => {
    let stream: MediaStream | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOn = true
    let last = { code: '', at: 0 }

    async function scan(read: CodeReader) {
      const code = video.current ? await read(video.current).catch(() => null) : null
      const isSame = code === last.code && Date.now() - last.at < SAME_CODE_MS
      if (code !== null && isOn) {
        if (!isSame) latestOnCode.current(code)
        last = { code, at: Date.now() }
      }
      if (isOn) timer = setTimeout(() => void scan(read), LOOK_EVERY_MS)
    }

    async function start() {
      const read = await reader
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      if (!isOn || !video.current) return stop()
      video.current.srcObject = stream
      await video.current.play()
      await scan(read)
    }

    function stop() {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }

    start().catch(() => isOn && setFailed(true))
    return () => {
      isOn = false
      clearTimeout(timer)
      stop()
    }
  }, [reader])

  if (failed) {
    return (
      <Banner tone="bad" role="alert">
        <p>
          The camera couldn’t be opened. Allow camera access for this page in your browser, or reload the page. Until
          then, search by name.
        </p>
        <Button variant="line" size="small" onClick={() => window.location.reload()}>
          Reload page
        </Button>
      </Banner>
    )
  }
  return <video ref={video} className="scanner" muted playsInline aria-label="Camera view" />
}
