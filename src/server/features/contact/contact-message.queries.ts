export interface ContactMessage {
  id: string
  name: string
  email: string
  subject: string
  message: string
  /** Epoch milliseconds. */
  receivedAt: number
  answeredAt: number | null
}
