/** Reads a QR code from a video frame; resolves to null when there is none. */
export type CodeReader = (video: HTMLVideoElement) => Promise<string | null>

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector
  getSupportedFormats(): Promise<string[]>
}

const WIDEST = 640

/** Uses the browser's barcode detector, or a library. Call it while online: the reader then works offline. */
export async function createCodeReader(): Promise<CodeReader> {
  const { BarcodeDetector: NativeDetector } = window as { BarcodeDetector?: DetectorClass }
  const formats = await NativeDetector?.getSupportedFormats().catch((): string[] => [])
  if (NativeDetector && formats?.includes('qr_code')) {
    const detector = new NativeDetector({ formats: ['qr_code'] })
    return async (video) => (await detector.detect(video))[0]?.rawValue ?? null
  }
  const { default: readCode } = await import('jsqr')
  const canvas = document.createElement('canvas')
  return async (video) => {
    const context = canvas.getContext('2d', { willReadFrequently: true })
    const scale = Math.min(1, WIDEST / video.videoWidth)
    canvas.width = Math.round(video.videoWidth * scale)
    canvas.height = Math.round(video.videoHeight * scale)
    if (!context || canvas.width === 0) return null
    context.drawImage(video, 0, 0, canvas.width, canvas.height)
    const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height)
    return readCode(data, width, height, { inversionAttempts: 'dontInvert' })?.data ?? null
  }
}
