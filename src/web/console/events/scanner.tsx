import { useEffect, useRef, useState } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import type { CodeReader } from './code-reader.ts'

const LOOK_EVERY_MS = 200
/** The same code is not read twice while it is still before the camera. */
const SAME_CODE_MS = 3_000

/** The phone's camera, while it is on. */
export function Scanner({ reader, onCode }: { reader: Promise<CodeReader>; onCode(code: string): void }) {
  const video = useRef<HTMLVideoElement>(null)
  const tell = useRef(onCode)
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    tell.current = onCode
  })

  useEffect(() => {
    let stream: MediaStream | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOn = true
    let last = { code: '', at: 0 }

    async function look(read: CodeReader) {
      const code = video.current ? await read(video.current).catch(() => null) : null
      const isSame = code === last.code && Date.now() - last.at < SAME_CODE_MS
      if (code !== null && isOn) {
        if (!isSame) tell.current(code)
        last = { code, at: Date.now() }
      }
      if (isOn) timer = setTimeout(() => void look(read), LOOK_EVERY_MS)
    }

    async function start() {
      const read = await reader
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      if (!isOn || !video.current) return stop()
      video.current.srcObject = stream
      await video.current.play()
      await look(read)
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
          The camera could not be opened. Allow it for this page in your browser; if it never asked, reload this page.
          Until then, look people up by name.
        </p>
        <Button variant="line" size="small" onClick={() => window.location.reload()}>
          Load this page again
        </Button>
      </Banner>
    )
  }
  return <video ref={video} className="scanner" muted playsInline aria-label="What the camera sees" />
}
