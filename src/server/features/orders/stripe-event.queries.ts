export interface StripeEvent {
  id: string
  type: string
  objectId: string
  createdAt: number
}
