/** Reads QR codes from a running video; null when there is none in the picture. */
export type CodeReader = (video: HTMLVideoElement) => Promise<string | null>

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector
  getSupportedFormats(): Promise<string[]>
}

const WIDEST = 640

/** The browser's own reader where it has one, else a library. Call while there is a network: afterwards it needs none. */
export async function createCodeReader(): Promise<CodeReader> {
  const { BarcodeDetector: Own } = window as { BarcodeDetector?: DetectorClass }
  const formats = await Own?.getSupportedFormats().catch((): string[] => [])
  if (Own && formats?.includes('qr_code')) {
    const detector = new Own({ formats: ['qr_code'] })
    return async (video) => (await detector.detect(video))[0]?.rawValue ?? null
  }
  const { default: readCode } = await import('jsqr')
  const canvas = document.createElement('canvas')
  return async (video) => {
    const pen = canvas.getContext('2d', { willReadFrequently: true })
    const scale = Math.min(1, WIDEST / video.videoWidth)
    canvas.width = Math.round(video.videoWidth * scale)
    canvas.height = Math.round(video.videoHeight * scale)
    if (!pen || canvas.width === 0) return null
    pen.drawImage(video, 0, 0, canvas.width, canvas.height)
    const { data, width, height } = pen.getImageData(0, 0, canvas.width, canvas.height)
    return readCode(data, width, height, { inversionAttempts: 'dontInvert' })?.data ?? null
  }
}
