import type { ColumnType } from 'kysely'

// Written from the migrated schema by `node test/kit/database/table-types.ts --write`; a test fails when the two drift apart.

export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject
export type JsonObject = { [key: string]: JsonValue }

type Timestamp = ColumnType<Date, Date | string, Date | string>

// pg would send an array as a PostgreSQL array, so anything but an object is written as JSON text.
type Json = ColumnType<JsonValue, string | JsonObject, string | JsonObject>

type Generated<T> =
  T extends ColumnType<infer Read, infer Inserted, infer Updated>
    ? ColumnType<Read, Inserted | undefined, Updated>
    : ColumnType<T, T | undefined, T>

type GeneratedAlways<T> =
  T extends ColumnType<infer Read, infer _, infer _> ? ColumnType<Read, never, never> : ColumnType<T, never, never>

export interface AccountChanges {
  account_id: number
  topic:
    | 'orders'
    | 'vouchers'
    | 'team'
    | 'devices'
    | 'tokens'
    | 'webhooks'
    | 'audit_log'
    | 'payment_methods'
    | 'account'
    | 'inbox'
    | 'events'
    | 'signup'
  part: number
  backend: number
  change: number
  changed_at: Generated<Timestamp>
}

export interface AccountMoves {
  account_id: number
  move_id: Generated<string>
  source: string
  target: string
  has_arrived: Generated<boolean>
  started_at: Generated<Timestamp>
}

export interface AccountPauses {
  account_id: number
  move_id: string
  is_paused: boolean
}

export interface AccountShards {
  account_id: number
  shard: string
}

export interface Accounts {
  id: Generated<number>
  name: string
  subdomain: string
  currency: Generated<string>
  time_zone: Generated<string>
  shop_published_at: Timestamp | null
  reply_to_email: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  language: Generated<'en' | 'de'>
}

export interface Admissions {
  account_id: number
  event_id: number
  id: Generated<number>
  order_id: number
  public_id: string
  check_in_code: string
  ticket_id: number | null
  ticket_title: string
  position: number
  is_lead: Generated<boolean>
  attendee_name: string | null
  answers: Generated<Json>
  status: Generated<'active' | 'cancelled' | 'refunded' | 'refund_pending'>
  redeemed_at: Timestamp | null
  place_id: number | null
  standing_area_id: number | null
  place_label: string | null
  place_snapshot: Json | null
  search_words: Generated<string>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  left_at: Timestamp | null
  ended_entries: Generated<number>
  stock_quantity: Generated<number>
  group_number: number | null
  price_cents: Generated<number>
  tax_rate: Generated<number>
  refund_id: number | null
  has_wallet_pass: Generated<boolean>
}

export interface Assignments {
  account_id: number
  membership_id: number
  event_id: number
  created_at: Generated<Timestamp>
}

export interface AuditEntries {
  account_id: number
  id: Generated<number>
  action: string
  subject: Generated<Json>
  membership_id: number | null
  actor_name: string | null
  credential_id: number | null
  credential_kind: string | null
  credential_description: string | null
  created_at: Generated<Timestamp>
}

export interface Backups {
  id: GeneratedAlways<number>
  started_at: Timestamp
  finished_at: Generated<Timestamp>
  target: string
  byte_size: number
  is_scheduled: boolean
}

export interface Blobs {
  account_id: number
  id: Generated<number>
  key: string
  purpose: 'task' | 'voucher_image' | 'event_image'
  filename: string
  content_type: string
  byte_size: number
  checksum: string
  uploader_id: number | null
  image_type: string | null
  uploaded_at: Timestamp | null
  drafted_at: Generated<Timestamp>
  held_at: Timestamp | null
  discarded_at: Timestamp | null
  created_at: Generated<Timestamp>
}

export interface CancellationMails {
  account_id: number
  id: Generated<number>
  event_id: number
  cancelled_at: Timestamp
  address: string
  sent_at: Timestamp | null
  created_at: Generated<Timestamp>
}

export interface CheckoutItems {
  account_id: number
  checkout_id: number
  position: number
  event_id: number
  ticket_id: number
  title: string
  quantity: number
  admissions_each: Generated<number>
  unit_price_cents: number
  tax_rate: number
  standing_area_id: number | null
  place_ids: Generated<number[]>
  hold_id: number | null
}

export interface CheckoutVoucherItems {
  account_id: number
  checkout_id: number
  position: number
  product_id: number
  title: string
  amount_cents: number
  unit_price_cents: number
  tax_rate: number
  quantity: number
  recipient_name: string | null
  recipient_email: string | null
  message: string | null
  deliver_on: string | null
  delivery_time_zone: string | null
}

export interface Checkouts {
  account_id: number
  id: Generated<number>
  public_id: string
  token_digest: Buffer
  token_sealed: Buffer
  event_id: number | null
  status: Generated<'open' | 'pending' | 'paid' | 'expired' | 'cancelled'>
  expires_at: Timestamp
  language: Generated<string>
  address_digest: Buffer | null
  access_codes: Generated<string[]>
  customer_name: string | null
  customer_email: string | null
  customer_phone: string | null
  customer_company: string | null
  billing_street: string | null
  billing_postal_code: string | null
  billing_city: string | null
  billing_country: string | null
  billing_vat_id: string | null
  answers: Generated<Json>
  attendees: Generated<Json>
  purchase_code: string | null
  paid_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  browser_digest: Buffer | null
}

export interface CredentialDigests {
  digest: Buffer
  account_id: number
  credential_id: number
}

export interface Credentials {
  account_id: number
  id: Generated<number>
  kind: 'account_token' | 'personal_token' | 'scanner_device' | 'session'
  permission: 'read' | 'write'
  description: string
  membership_id: number | null
  membership_epoch: number | null
  last_used_at: Timestamp | null
  expires_at: Timestamp | null
  revoked_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface DeviceHeartbeats {
  account_id: number
  credential_id: number
  seen_at: Timestamp
  queue: number
  snapshot_at: Timestamp | null
  app_version: string | null
}

export interface DevicePairings {
  account_id: number
  id: Generated<number>
  name: string
  expires_at: Timestamp
  used_at: Timestamp | null
  credential_id: number | null
  created_at: Generated<Timestamp>
  uses: Generated<number>
  used_count: Generated<number>
}

export interface DirectoryEntries {
  kind: 'credential' | 'invitation' | 'pairing' | 'payment_webhook' | 'host' | 'subdomain' | 'wallet_device' | 'person'
  key: Buffer
  account_id: number
  created_at: Generated<Timestamp>
}

export interface EventSlugs {
  account_id: number
  slug: string
  event_id: number
  created_at: Generated<Timestamp>
}

export interface Events {
  account_id: number
  id: Generated<number>
  slug: string
  title: string
  description: Generated<string>
  venue_id: number | null
  starts_at: Timestamp
  doors_open_at: Timestamp | null
  public_ends_at: Timestamp | null
  ends_at: GeneratedAlways<Timestamp>
  show_end_time: Generated<boolean>
  sales_starts_at: Timestamp | null
  sales_ends_at: Timestamp | null
  minimum_age: number | null
  video_url: string | null
  video_title: string | null
  image: string | null
  background_image: string | null
  gallery_images: Generated<string[]>
  published_at: Timestamp | null
  unlisted_at: Timestamp | null
  cancelled_at: Timestamp | null
  archived_at: Timestamp | null
  capacity: number | null
  claimed_count: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  lock_version: Generated<number>
  reentry: Generated<boolean>
}

export interface FaqItems {
  account_id: number
  id: Generated<number>
  event_id: number
  position: number
  question: string
  answer: string
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface GoogleWalletClasses {
  account_id: number
  event_id: number
  digest: Buffer | null
}

export interface GuestImportHeadings {
  account_id: number
  heading: string
  field: string
  used_at: Generated<Timestamp>
}

export interface GuestImportRows {
  account_id: number
  import_id: number
  line: number
  party: Json
  order_id: number | null
}

export interface GuestImports {
  account_id: number
  event_id: number
  id: Generated<number>
  public_id: string
  status: Generated<'analyzed' | 'applying' | 'applied' | 'failed' | 'undone'>
  rows_count: number
  valid_rows_count: number
  imported_rows_count: Generated<number>
  guests_count: number
  validation_errors: Generated<Json>
  warnings: Generated<Json>
  reading: Json
  stock: Generated<Json>
  failure_message: string | null
  delivers: Generated<boolean>
  submission: Generated<number>
  applying_since: Timestamp | null
  applied_by_id: number | null
  applied_by: string | null
  analyzed_at: Generated<Timestamp>
  applied_at: Timestamp | null
  undone_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface HeldPlaces {
  account_id: number
  event_id: number
  hold_id: number
  place_id: number
}

export interface Holds {
  account_id: number
  event_id: number
  id: Generated<number>
  ticket_id: number
  standing_area_id: number | null
  quantity: number
  expires_at: Timestamp
  created_at: Generated<Timestamp>
  stock_quantity: number
}

export interface IdempotencyKeys {
  account_id: number
  credential_id: number
  method: string
  path: string
  key: string
  fingerprint: Buffer
  status: number
  body: Buffer
  location: string | null
  created_at: Generated<Timestamp>
  expires_at: Timestamp
}

export interface InvitationEvents {
  account_id: number
  invitation_id: number
  event_id: number
}

export interface InvitationPrograms {
  account_id: number
  invitation_id: number
  program_id: number
  position: number
  code: string | null
}

export interface InvitationTokens {
  digest: Buffer
  account_id: number
  invitation_id: number
}

export interface Invitations {
  account_id: number
  id: Generated<number>
  email: string
  role: 'scanner' | 'manager' | 'co_organizer' | 'promoter'
  invited_by_membership_id: number | null
  sealed_token: Buffer
  expires_at: Timestamp
  accepted_at: Timestamp | null
  accepted_membership_id: number | null
  revoked_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface LaneJobs {
  account_id: number
  id: GeneratedAlways<number>
  lane: string
  name: string
  payload: Json
  serial_key: Generated<string>
  job_key: string | null
  state: 'later' | 'ready' | 'running' | 'failed'
  attempts: Generated<number>
  run_at: Generated<Timestamp>
  locked_by: string | null
  locked_at: Timestamp | null
  last_error: string | null
}

export interface Memberships {
  account_id: number
  id: Generated<number>
  person_id: number
  role: 'scanner' | 'manager' | 'owner' | 'co_organizer' | 'promoter'
  deactivated_at: Timestamp | null
  credential_epoch: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface Notifications {
  account_id: number
  id: Generated<number>
  public_id: string
  recipient_id: number
  kind: 'task_assigned' | 'signup_pending' | 'addition_pending'
  subject: string
  title: string
  path: string
  task_id: number | null
  event_id: number | null
  read_at: Timestamp | null
  created_at: Generated<Timestamp>
}

export interface OrderRefunds {
  account_id: number
  id: Generated<number>
  public_id: string
  checkout_id: number
  order_id: number | null
  amount_cents: number
  voucher_cents: number
  payment_cents: number
  reason: string | null
  actor: string | null
  created_at: Generated<Timestamp>
}

export interface Orders {
  account_id: number
  event_id: number
  id: Generated<number>
  public_id: string
  order_code: string
  origin: 'guest_list' | 'shop'
  status: 'paid' | 'booking_cancelled' | 'unpaid' | 'refunded' | 'cancelled' | 'disputed'
  archived_at: Timestamp | null
  customer_name: string
  delivery_email: string | null
  delivers_to_creator: Generated<boolean>
  staff_note: string | null
  customer_phone: string | null
  customer_company: string | null
  billing_street: string | null
  billing_postal_code: string | null
  billing_city: string | null
  billing_country: string | null
  billing_vat_id: string | null
  answers: Generated<Json>
  total_cents: Generated<number>
  paid_at: Timestamp | null
  creator_id: number | null
  creator_name: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  language: 'en' | 'de' | null
  checkout_id: number | null
  voucher_cents: Generated<number>
  refunded_cents: Generated<number>
  refunded_voucher_cents: Generated<number>
  payment_due_at: Timestamp | null
  reminded_at: Timestamp | null
  cancelled_at: Timestamp | null
}

export interface PairingDigests {
  digest: Buffer
  account_id: number
  pairing_id: number
}

export interface PasskeyChallenges {
  digest: Buffer
  person_id: number | null
  expires_at: Timestamp
}

export interface Passkeys {
  id: Generated<number>
  person_id: number
  credential_id: string
  public_key: Buffer
  signature_count: number
  transports: Generated<string[]>
  name: string
  last_used_at: Timestamp | null
  created_at: Generated<Timestamp>
}

export interface PaymentMethods {
  account_id: number
  id: Generated<number>
  name: 'stripe' | 'bank_transfer' | 'at_the_door' | 'test'
  enabled: Generated<boolean>
  settings: Generated<Json>
  sealed_secrets: Generated<Json>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface PaymentRefunds {
  account_id: number
  id: Generated<number>
  public_id: string
  payment_id: number
  key: string
  amount_cents: number
  reason: string | null
  status: 'pending' | 'by_hand' | 'paid' | 'failed'
  provider_reference: string | null
  key_number: Generated<number>
  attempts_count: Generated<number>
  failure_message: string | null
  last_attempted_at: Timestamp | null
  paid_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface PaymentWebhookKeys {
  key: string
  account_id: number
  payment_method_id: number
}

export interface Payments {
  account_id: number
  id: Generated<number>
  public_id: string
  payable_id: number
  payment_method_id: number
  amount_cents: number
  currency: string
  status: Generated<'none' | 'pending' | 'paid' | 'declined' | 'cancelled'>
  is_by_hand: Generated<boolean>
  is_surplus: Generated<boolean>
  description: Generated<string>
  provider_reference: string | null
  capture_reference: string | null
  redirect_url: string | null
  return_url: string | null
  instructions: string | null
  test_outcome: 'paid' | 'declined' | 'late' | null
  key_number: Generated<number>
  next_check_at: Timestamp | null
  checks_count: Generated<number>
  failure_message: string | null
  refunded_cents: Generated<number>
  expires_at: Timestamp | null
  paid_at: Timestamp | null
  ended_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface People {
  id: Generated<number>
  name: string
  email: string
  password_digest: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface Performers {
  account_id: number
  id: Generated<number>
  event_id: number
  position: number
  name: string
  performer_type: Generated<'person' | 'performing_group'>
  role: Generated<'headliner' | 'support' | 'guest'>
  genre: string | null
  starts_at: Timestamp | null
  ends_at: Timestamp | null
  bio: string | null
  image: string | null
  links: Generated<Json>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface Places {
  account_id: number
  event_id: number
  id: Generated<number>
  ticket_id: number
  position: number
  key: string
  label: string
  section: string | null
  row: string | null
  seat: string | null
  accessibility: 'wheelchair' | 'companion' | null
  pair_place_id: number | null
  blocked_at: Timestamp | null
  claimed_until: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface PromoterPrograms {
  account_id: number
  id: Generated<number>
  public_id: string
  name: string
  created_at: Generated<Timestamp>
}

export interface PushKeys {
  only_row: Generated<boolean>
  public_key: string
  sealed_private_key: Buffer
  created_at: Generated<Timestamp>
}

export interface PushSubscriptions {
  account_id: number
  id: Generated<number>
  public_id: string
  membership_id: number
  endpoint: string
  p256dh: string
  auth: string
  created_at: Generated<Timestamp>
  credential_id: number
}

export interface Questions {
  account_id: number
  event_id: number
  id: Generated<number>
  position: number
  label: string
  type: 'text' | 'textarea' | 'select' | 'multi_select' | 'checkbox' | 'number' | 'date' | 'email' | 'phone'
  scope: 'order' | 'attendee'
  required: Generated<boolean>
  complete_later: Generated<boolean>
  options: Generated<string[]>
  help_text: string | null
  archived_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  key: string
  lock_version: Generated<number>
}

export interface QueuePlaces {
  account_id: number
  event_id: number
  id: Generated<number>
  token_digest: Buffer
  rank: number | null
  turn_ends_at: Timestamp | null
  taken_up_at: Timestamp | null
  used_at: Timestamp | null
}

export interface ReceiptCounters {
  account_id: number
  last_number: Generated<number>
}

export interface Receipts {
  account_id: number
  number: number
  kind: 'sale' | 'refund'
  checkout_id: number
  refund_id: number | null
  lines: Json
  tax_lines: Json
  total_cents: number
  voucher_cents: Generated<number>
  currency: string
  recipient: Json
  language: Generated<string>
  issued_at: Generated<Timestamp>
}

export interface RedemptionAttempts {
  account_id: number
  event_id: number
  id: Generated<number>
  credential_id: number
  admission_id: number | null
  client_id: string | null
  event_slug: string
  public_id: string
  result: 'accepted' | 'conflict' | 'blocked' | 'not_found'
  message: string
  scanned_at: Timestamp
  synced_at: Timestamp
  accepted_at: Timestamp | null
  kind: Generated<'entry' | 'exit' | 'annulment'>
  reason: string | null
  entry_number: number | null
}

export interface ShardIdentity {
  only_row: Generated<boolean>
  directory_id: string
  name: string
  number: number
}

export interface Shards {
  name: string
  number: number
  created_at: Generated<Timestamp>
}

export interface ShopHosts {
  host: string
  account_id: number
  created_at: Generated<Timestamp>
}

export interface SignInLinks {
  id: Generated<number>
  email: string
  purpose: 'sign_in' | 'password'
  digest: Buffer
  sealed_token: Buffer
  return_to: string | null
  expires_at: Timestamp
  used_at: Timestamp | null
  created_at: Generated<Timestamp>
  language: 'en' | 'de' | null
  mailed_at: Timestamp | null
  browser: string | null
}

export interface SignupAdditions {
  account_id: number
  event_id: number
  id: Generated<number>
  request_id: number
  companions: number
  companion_names: Generated<string[]>
  decided_at: Timestamp | null
  order_id: number | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface SignupLinks {
  account_id: number
  event_id: number
  id: Generated<number>
  public_id: string
  token_digest: Buffer
  sealed_token: Buffer
  name: string | null
  disabled_at: Timestamp | null
  approval_mode: Generated<'manual' | 'automatic'>
  ticket_id: number
  standing_area_id: number | null
  max_companions: Generated<number>
  capacity: Generated<number>
  admission_count: Generated<number>
  company_field: Generated<'hidden' | 'optional' | 'required'>
  phone_field: Generated<'hidden' | 'optional' | 'required'>
  companion_names_field: Generated<'hidden' | 'optional' | 'required'>
  asks_questions: Generated<boolean>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface SignupReminders {
  account_id: number
  event_id: number
  email: string
  mailed_at: Timestamp
}

export interface SignupRequests {
  account_id: number
  event_id: number
  id: Generated<number>
  public_id: string
  link_id: number
  page_digest: Buffer
  sealed_page_token: Buffer
  name: string
  email: string
  company: string | null
  phone: string | null
  companions: Generated<number>
  companion_names: Generated<string[]>
  answers: Generated<Json>
  reviewed_at: Timestamp | null
  order_id: number | null
  tickets_resent_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  language: 'en' | 'de' | null
}

export interface SpentBudgets {
  digest: Buffer
  full_at: Timestamp
}

export interface StandingAreaTickets {
  account_id: number
  event_id: number
  standing_area_id: number
  ticket_id: number
}

export interface StandingAreas {
  account_id: number
  event_id: number
  id: Generated<number>
  position: number
  name: string
  capacity: number
  claimed_count: Generated<number>
  blocked_count: Generated<number>
  closed_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  key: string
  lock_version: Generated<number>
}

export interface SyncConflicts {
  account_id: number
  attempt_id: number
  event_id: number
  acknowledged_at: Timestamp | null
  membership_id: number | null
}

export interface TaskBoards {
  account_id: number
  last_change: Generated<number>
  forgotten_change: Generated<number>
}

export interface TaskChanges {
  account_id: number
  number: number
  task_public_id: string
  kind: 'created' | 'updated' | 'moved' | 'archived' | 'restored' | 'deleted' | 'commented'
  event_id: number | null
  former_event_id: number | null
  created_at: Generated<Timestamp>
}

export interface TaskEmbeds {
  account_id: number
  id: Generated<number>
  task_id: number
  entry_id: number | null
  blob_id: number
  position: number
}

export interface TaskEntries {
  account_id: number
  id: Generated<number>
  public_id: string
  task_id: number
  kind: 'created' | 'status' | 'assignment' | 'comment'
  body_html: string | null
  body: string | null
  details: Generated<Json>
  author_id: number | null
  created_at: Generated<Timestamp>
}

export interface TaskFiles {
  account_id: number
  blob_id: number
  task_id: number
}

export interface TaskViewers {
  account_id: number
  membership_id: number
  page: string
  task_public_id: string | null
  seen_at: Generated<Timestamp>
}

export interface Tasks {
  account_id: number
  id: Generated<number>
  public_id: string
  title: string
  description_html: Generated<string>
  description: Generated<string>
  status: Generated<'open' | 'in_progress' | 'done'>
  position: number
  lock_version: Generated<number>
  due_on: string | null
  event_id: number | null
  assignee_id: number | null
  archived_at: Timestamp | null
  creator_id: number | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface TicketAccessCodes {
  account_id: number
  event_id: number
  ticket_id: number
  code: string
}

export interface Tickets {
  account_id: number
  event_id: number
  id: Generated<number>
  position: number
  title: string
  kind: Generated<'StandardTicket' | 'GroupTicket'>
  color: string
  features: Generated<string[]>
  price_cents: Generated<number>
  inventory_kind: Generated<'ga' | 'standing' | 'places'>
  stock: number | null
  claimed_count: Generated<number>
  max_per_order: number | null
  hidden: Generated<boolean>
  group_size: number | null
  archived_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  key: string
  lock_version: Generated<number>
  color_changed_at: Timestamp | null
  tax_rate: Generated<number>
}

export interface UploadTotals {
  account_id: number
  bytes: number
}

export interface Venues {
  account_id: number
  id: Generated<number>
  name: string
  address: Generated<string>
  postal_code: string | null
  city: Generated<string>
  country: Generated<string>
  latitude: number | null
  longitude: number | null
  time_zone: string
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  key: string
  lock_version: Generated<number>
}

export interface VoucherDeliveries {
  account_id: number
  id: Generated<number>
  public_id: string
  purchase_id: number
  audience: 'buyer' | 'recipient'
  recipient_name: string
  recipient_email: string
  scheduled_for: Timestamp | null
  queued_at: Timestamp | null
  delivering_at: Timestamp | null
  last_attempted_at: Timestamp | null
  delivered_at: Timestamp | null
  failed_at: Timestamp | null
  failure_message: string | null
  attempts_count: Generated<number>
  claim: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface VoucherEntries {
  account_id: number
  voucher_id: number
  seq: number
  public_id: string
  kind:
    | 'issuance'
    | 'redemption'
    | 'refund'
    | 'adjustment_credit'
    | 'adjustment_debit'
    | 'expiration'
    | 'purchase_refund'
  amount_cents: number
  balance_after_cents: number
  order_id: number | null
  actor: string | null
  reason: string | null
  metadata: Generated<Json>
  created_at: Generated<Timestamp>
}

export interface VoucherExports {
  account_id: number
  id: Generated<number>
  credential_id: number | null
  actor: string
  status_filter: string | null
  rows_count: number | null
  created_at: Generated<Timestamp>
  finished_at: Timestamp | null
}

export interface VoucherImportRows {
  account_id: number
  import_id: number
  line: number
  code_digest: Buffer | null
  code_sealed: Buffer | null
  code_suffix: string | null
  amount_cents: number | null
  expires_at: Timestamp | null
  note: string | null
  product_id: number | null
}

export interface VoucherImports {
  account_id: number
  id: Generated<number>
  public_id: string
  status: Generated<'analyzed' | 'applying' | 'applied' | 'failed'>
  rows_count: number
  valid_rows_count: number
  imported_rows_count: Generated<number>
  validation_errors: Generated<Json>
  failure_message: string | null
  submission: Generated<number>
  applying_since: Timestamp | null
  applied_by: string | null
  analyzed_at: Generated<Timestamp>
  applied_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface VoucherProducts {
  account_id: number
  id: Generated<number>
  public_id: string
  name: string
  description: Generated<string>
  pricing_type: 'fixed' | 'flexible'
  visibility: Generated<'public_catalog' | 'secret'>
  fixed_cents: number | null
  purchase_cents: number | null
  minimum_cents: number | null
  maximum_cents: number | null
  validity_months: Generated<number>
  position: number
  image_id: number | null
  archived_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  tax_rate: Generated<number>
}

export interface VoucherPurchases {
  account_id: number
  id: Generated<number>
  public_id: string
  voucher_id: number
  status: 'pending' | 'paid' | 'failed' | 'cancelled' | 'partially_refunded' | 'refunded'
  payment_provider: string | null
  paid_cents: number
  refunded_cents: Generated<number>
  customer_name: string
  customer_email: string
  recipient_name: string | null
  recipient_email: string | null
  delivery_mode: 'self_managed' | 'email_now' | 'email_scheduled'
  scheduled_for: Timestamp | null
  paid_at: Timestamp | null
  message: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  language: 'en' | 'de' | null
  checkout_id: number | null
}

export interface VoucherReservations {
  account_id: number
  id: Generated<number>
  public_id: string
  voucher_id: number
  checkout: string
  amount_cents: number
  expires_at: Timestamp
  captured_at: Timestamp | null
  released_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface VoucherTotals {
  account_id: number
  id: Generated<number>
  count: Generated<number>
  issued_cents: Generated<number>
  redeemed_cents: Generated<number>
  balance_cents: Generated<number>
  bonus_cents: Generated<number>
  blocked_count: Generated<number>
  sold_count: Generated<number>
  sold_cents: Generated<number>
}

export interface Vouchers {
  account_id: number
  id: Generated<number>
  public_id: string
  code_digest: Buffer
  code_sealed: Buffer
  code_suffix: string
  product_id: number | null
  product_name: string | null
  source: 'shop' | 'manual' | 'import'
  issued_cents: number
  paid_cents: number | null
  balance_cents: number
  entries_count: Generated<number>
  expiration_posted_at: Timestamp | null
  reserved_cents: Generated<number>
  expires_at: Timestamp | null
  blocked_at: Timestamp | null
  block_reason: string | null
  import_id: number | null
  import_line: number | null
  standing: GeneratedAlways<'blocked' | 'expired' | 'depleted' | 'open'>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface WaitingRooms {
  account_id: number
  event_id: number
  opened_at: Generated<Timestamp>
  closed_at: Timestamp | null
  drawn_at: Timestamp | null
  place_count: Generated<number>
  last_rank: Generated<number>
  called_rank: Generated<number>
  called_at: Generated<Timestamp>
}

export interface WalletPasses {
  account_id: number
  event_id: number
  admission_id: number
  issued_at: Timestamp
  modified_at: Timestamp
  digest: Buffer
  google_issued_at: Timestamp | null
  google_told_at: Timestamp | null
}

export interface WalletRegistrations {
  account_id: number
  admission_id: number
  pass_type_id: string
  device_digest: Buffer
  push_token: string
  told_at: Timestamp
  created_at: Generated<Timestamp>
}

export interface WalletSettings {
  account_id: number
  color: string | null
  logo: Buffer | null
  apple_certificate: string | null
  apple_intermediate: string | null
  apple_key_sealed: Buffer | null
  google_issuer_id: string | null
  google_key_sealed: Buffer | null
}

export interface WebhookDeliveries {
  account_id: number
  id: Generated<number>
  public_id: string
  endpoint_id: number
  message_id: number
  attempts_count: Generated<number>
  delivering_at: Timestamp | null
  last_attempted_at: Timestamp | null
  next_attempt_at: Timestamp | null
  response_status: number | null
  failure_message: string | null
  delivered_at: Timestamp | null
  failed_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface WebhookEndpoints {
  account_id: number
  id: Generated<number>
  public_id: string
  url: string
  description: Generated<string>
  kinds: Generated<string[]>
  secret_sealed: Buffer
  membership_id: number | null
  membership_epoch: number | null
  failing_since: Timestamp | null
  disabled_at: Timestamp | null
  disabled_reason: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface WebhookMessages {
  account_id: number
  id: Generated<number>
  public_id: string
  kind: string
  event_id: number | null
  payload: Json
  personal_payload: Json | null
  created_at: Generated<Timestamp>
}

export interface Workers {
  process_id: string
  worker_ids: string[]
  beat_at: Generated<Timestamp>
}

export interface Tables {
  account_changes: AccountChanges
  account_moves: AccountMoves
  account_pauses: AccountPauses
  account_shards: AccountShards
  accounts: Accounts
  admissions: Admissions
  assignments: Assignments
  audit_entries: AuditEntries
  backups: Backups
  blobs: Blobs
  cancellation_mails: CancellationMails
  checkout_items: CheckoutItems
  checkout_voucher_items: CheckoutVoucherItems
  checkouts: Checkouts
  credential_digests: CredentialDigests
  credentials: Credentials
  device_heartbeats: DeviceHeartbeats
  device_pairings: DevicePairings
  directory_entries: DirectoryEntries
  event_slugs: EventSlugs
  events: Events
  faq_items: FaqItems
  google_wallet_classes: GoogleWalletClasses
  guest_import_headings: GuestImportHeadings
  guest_import_rows: GuestImportRows
  guest_imports: GuestImports
  held_places: HeldPlaces
  holds: Holds
  idempotency_keys: IdempotencyKeys
  invitation_events: InvitationEvents
  invitation_programs: InvitationPrograms
  invitation_tokens: InvitationTokens
  invitations: Invitations
  lane_jobs: LaneJobs
  memberships: Memberships
  notifications: Notifications
  order_refunds: OrderRefunds
  orders: Orders
  pairing_digests: PairingDigests
  passkey_challenges: PasskeyChallenges
  passkeys: Passkeys
  payment_methods: PaymentMethods
  payment_refunds: PaymentRefunds
  payment_webhook_keys: PaymentWebhookKeys
  payments: Payments
  people: People
  performers: Performers
  places: Places
  promoter_programs: PromoterPrograms
  push_keys: PushKeys
  push_subscriptions: PushSubscriptions
  questions: Questions
  queue_places: QueuePlaces
  receipt_counters: ReceiptCounters
  receipts: Receipts
  redemption_attempts: RedemptionAttempts
  shard_identity: ShardIdentity
  shards: Shards
  shop_hosts: ShopHosts
  sign_in_links: SignInLinks
  signup_additions: SignupAdditions
  signup_links: SignupLinks
  signup_reminders: SignupReminders
  signup_requests: SignupRequests
  spent_budgets: SpentBudgets
  standing_area_tickets: StandingAreaTickets
  standing_areas: StandingAreas
  sync_conflicts: SyncConflicts
  task_boards: TaskBoards
  task_changes: TaskChanges
  task_embeds: TaskEmbeds
  task_entries: TaskEntries
  task_files: TaskFiles
  task_viewers: TaskViewers
  tasks: Tasks
  ticket_access_codes: TicketAccessCodes
  tickets: Tickets
  upload_totals: UploadTotals
  venues: Venues
  voucher_deliveries: VoucherDeliveries
  voucher_entries: VoucherEntries
  voucher_exports: VoucherExports
  voucher_import_rows: VoucherImportRows
  voucher_imports: VoucherImports
  voucher_products: VoucherProducts
  voucher_purchases: VoucherPurchases
  voucher_reservations: VoucherReservations
  voucher_totals: VoucherTotals
  vouchers: Vouchers
  waiting_rooms: WaitingRooms
  wallet_passes: WalletPasses
  wallet_registrations: WalletRegistrations
  wallet_settings: WalletSettings
  webhook_deliveries: WebhookDeliveries
  webhook_endpoints: WebhookEndpoints
  webhook_messages: WebhookMessages
  workers: Workers
}
