import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { requireDatabaseUrl, requireSingleDatabaseUrl } from './database-url.ts'
import { Misconfigured } from './misconfigured.ts'
import { type ShardSettings, readShardSettings } from './shard-settings.ts'
import { type TracingSettings, readTracingSettings } from './tracing-settings.ts'
import { type WalletSettings, readWalletSettings } from './wallet-settings.ts'

export { Misconfigured }

export interface Settings {
  port: number
  host: string
  dataFolder: string
  databaseUrl: string | null
  /** A standby of it for what is only read; null: the primary is asked. */
  databaseReadUrl: string | null
  /** The servers beside that one, on which accounts live too. */
  shards: ShardSettings[]
  baseUrl: string
  /** The names in baseUrl and shopDomain, without a port. */
  consoleHost: string
  shopHost: string
  shopDomain: string
  smtpUrl: string | null
  mailFrom: string
  loadsDemo: boolean
  secret: string | null
  rateLimits: boolean
  /** Whose X-Forwarded-For is believed; null: nobody's. */
  trustedProxies: TrustedProxies | null
  /** Where uploads are kept; null: in the data folder. */
  objectStore: ObjectStoreSettings | null
  /** How many bytes the files of one account may take; null: any number. */
  uploadQuota: number | null
  /** How often a backup is made by itself, how many are kept, and where; null: never. */
  backup: BackupSchedule | null
  /** What backups are encrypted with, and opened again; null: they are not encrypted. */
  backupPassphrase: string | null
  /** What whoever reads the metrics must show; null: there are none at the usual address. */
  metricsToken: string | null
  /** Where metrics are read instead; null: beside everything else. */
  metricsPort: number | null
  /** How traces are sent to a collector; null: there are none. */
  tracing: TracingSettings | null
  /** How long requests are still answered after a signal to stop, while nobody new should be sent here. */
  stopDelayMs: number
  /** Push endpoints and webhooks may be on private networks and without TLS. */
  reachesPrivateNetworks: boolean
  /** Whose shops take payments that move no money: everybody's, the demo venue's alone, or nobody's. */
  testPayments: 'everywhere' | 'demo' | 'nowhere'
  /** Where Stripe's API is. */
  stripeApiBase: string
  wallet: WalletSettings
  /** Where Apple takes pushes, where Google keeps passes, and where it gives out access to them. */
  apnsBase: string
  googleWalletBase: string
  googleOauthBase: string
  logLevel: LogLevel
}

export interface BackupSchedule {
  /** The newest ones that are kept. */
  keep: number
  /** Of the disk, or within the bucket of the store. */
  folder: string
  /** Null: they are put on the disk. */
  store: ObjectStoreSettings | null
}

/** So many proxies in front of Foyer, or wherever they are. */
export type TrustedProxies = { hops: number } | { networks: string[] }

/** A store that speaks S3. */
export interface ObjectStoreSettings {
  endpoint: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  region: string
}

/** Every setting there is, as the help of the command line tells them; docs/operations.md says more of each. */
export const SETTINGS: readonly { name: string; says: string }[] = [
  { name: 'PORT', says: 'the port that HTTP listens on; 3000' },
  { name: 'HOST', says: 'the address that HTTP listens on; 127.0.0.1' },
  { name: 'FOYER_DATA', says: 'the folder of database, images, uploads, outbox and secrets; ./data' },
  {
    name: 'DATABASE_URL',
    says: 'a PostgreSQL 15 or newer elsewhere, or several hosts a,b of which one takes writes; none: an embedded one',
  },
  {
    name: 'DATABASE_READ_URL',
    says: 'a standby of DATABASE_URL that answers what is only read; none: the primary does',
  },
  { name: 'FOYER_SHARDS', says: 'further servers for accounts, like one=postgres://…,two=postgres://…; none' },
  { name: 'BASE_URL', says: 'the origin of console and API; http://localhost:PORT' },
  { name: 'SHOP_DOMAIN', says: 'shops stand at SUBDOMAIN.SHOP_DOMAIN; localhost:PORT' },
  { name: 'SMTP_URL', says: 'the mail server; none: mails are files in FOYER_DATA/outbox' },
  { name: 'MAIL_FROM', says: 'the sender of every mail' },
  { name: 'FOYER_DEMO', says: '0: no demo venue on an empty database; 1' },
  { name: 'FOYER_SECRET', says: 'signs links and seals what is stored encrypted; made once in FOYER_DATA/secret' },
  { name: 'FOYER_RATE_LIMITS', says: 'off for load tests; on' },
  {
    name: 'FOYER_TRUST_PROXY',
    says: 'the number of proxies in front that set X-Forwarded-For, or their networks; off',
  },
  { name: 'FOYER_UPLOAD_QUOTA', says: 'how much the files of one account may take, like 500 MB, or off; 10 GB' },
  {
    name: 'FOYER_PRIVATE_NETWORKS',
    says: 'on lets pushes and webhooks reach private addresses, for test machines; off',
  },
  {
    name: 'FOYER_TEST_PAYMENTS',
    says: 'on lets every shop take payments that move no money, for tests; unset: the demo venue alone',
  },
  { name: 'STRIPE_API_BASE', says: 'where the API of Stripe is; https://api.stripe.com' },
  {
    name: 'WALLET_APPLE_CERTIFICATE',
    says: 'the certificate that signs passes for Apple Wallet, a file; none: no passes',
  },
  { name: 'WALLET_APPLE_KEY', says: 'the file of its private key' },
  { name: 'WALLET_APPLE_INTERMEDIATE', says: 'the file of the certificate of Apple that issued it' },
  { name: 'WALLET_GOOGLE_ISSUER_ID', says: 'the issuer of passes for Google Wallet; none: no passes' },
  { name: 'WALLET_GOOGLE_KEY', says: 'the file of the key of its service account, as JSON' },
  { name: 'APNS_BASE', says: 'where Apple takes pushes; https://api.push.apple.com' },
  { name: 'GOOGLE_WALLET_BASE', says: 'where the API of Google Wallet is; https://walletobjects.googleapis.com' },
  { name: 'GOOGLE_OAUTH_BASE', says: 'where Google gives out access to it; https://oauth2.googleapis.com' },
  { name: 'S3_ENDPOINT', says: 'a store that speaks S3 for uploads; none: FOYER_DATA/uploads' },
  { name: 'S3_BUCKET', says: 'its bucket' },
  { name: 'S3_ACCESS_KEY_ID', says: 'its key' },
  { name: 'S3_SECRET_ACCESS_KEY', says: 'the secret of the key' },
  { name: 'S3_REGION', says: 'its region; us-east-1' },
  { name: 'FOYER_BACKUP', says: 'daily:7 makes a backup every day and keeps the newest seven; off' },
  { name: 'FOYER_BACKUP_FOLDER', says: 'where these backups are put, or s3://bucket/folder; FOYER_DATA/backups' },
  { name: 'FOYER_BACKUP_PASSPHRASE', says: 'encrypts backups, and opens them again; none: they are not encrypted' },
  { name: 'FOYER_METRICS_TOKEN', says: 'the token that reads GET /metrics; none: there is no such address' },
  { name: 'FOYER_METRICS_PORT', says: 'a port of its own for /metrics, for processes without a web server too; none' },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    says: 'the collector of OpenTelemetry that traces are sent to; none: no traces',
  },
  { name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', says: 'the same as the whole address for traces' },
  { name: 'OTEL_EXPORTER_OTLP_PROTOCOL', says: 'http/json' },
  { name: 'OTEL_TRACES_EXPORTER', says: 'none: no traces; otlp' },
  { name: 'OTEL_SDK_DISABLED', says: 'true: no traces; false' },
  { name: 'OTEL_TRACES_SAMPLER', says: 'which traces are kept, like parentbased_traceidratio; parentbased_always_on' },
  { name: 'OTEL_TRACES_SAMPLER_ARG', says: 'how many of them, from 0 to 1; 1' },
  { name: 'OTEL_BSP_SCHEDULE_DELAY', says: 'how many milliseconds they are gathered before they are sent; 5000' },
  {
    name: 'FOYER_STOP_DELAY',
    says: 'how many seconds requests are still answered after SIGTERM while /readyz says 503; 0',
  },
  { name: 'LOG_LEVEL', says: 'trace, debug, info, warn, error, fatal or silent; info' },
]

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

type Environment = Record<string, string | undefined>

export const readSettings = (environment: Environment = process.env): Settings => {
  const port = environment['PORT'] ? readPort('PORT', environment['PORT']) : PORT
  const baseUrl = readUrl('BASE_URL', environment['BASE_URL'] ?? `http://localhost:${port}`, ['http:', 'https:'])
  const url = new URL(baseUrl)
  if (url.pathname !== '/' || url.search || url.hash) {
    throw new Misconfigured(`BASE_URL must be an origin without a path, like https://foyer.example; it is ${baseUrl}.`)
  }

  const shopDomain = readShopDomain(environment['SHOP_DOMAIN'] || `localhost:${port}`)

  return {
    port,
    host: environment['HOST'] || '127.0.0.1',
    dataFolder: path.resolve(environment['FOYER_DATA'] || './data'),
    databaseUrl: environment['DATABASE_URL'] ? requireDatabaseUrl('DATABASE_URL', environment['DATABASE_URL']) : null,
    databaseReadUrl: readReadUrl(environment),
    shards: readShardSettings(environment['FOYER_SHARDS']),
    baseUrl: url.origin,
    consoleHost: url.hostname.toLowerCase(),
    shopHost: shopDomain.replace(/:\d+$/, ''),
    shopDomain,
    smtpUrl: environment['SMTP_URL']
      ? readUrl('SMTP_URL', environment['SMTP_URL'], ['smtp:', 'smtps:'], { keepsPassword: false })
      : null,
    mailFrom: environment['MAIL_FROM'] || `Foyer <no-reply@${url.hostname}>`,
    loadsDemo: readSwitch('FOYER_DEMO', environment['FOYER_DEMO'] ?? '1'),
    secret: readSecret(environment['FOYER_SECRET']),
    rateLimits: readSwitch('FOYER_RATE_LIMITS', environment['FOYER_RATE_LIMITS'] ?? 'on'),
    trustedProxies: readTrustedProxies(environment['FOYER_TRUST_PROXY'] || 'off'),
    objectStore: readObjectStore(environment),
    uploadQuota: readQuota(environment['FOYER_UPLOAD_QUOTA'] || '10 GB'),
    backup: readBackupSchedule(environment),
    backupPassphrase: environment['FOYER_BACKUP_PASSPHRASE'] || null,
    metricsToken: readMetricsToken(environment['FOYER_METRICS_TOKEN']),
    metricsPort: environment['FOYER_METRICS_PORT']
      ? readPort('FOYER_METRICS_PORT', environment['FOYER_METRICS_PORT'])
      : null,
    tracing: readTracingSettings(environment),
    stopDelayMs: readStopDelay(environment['FOYER_STOP_DELAY'] || '0'),
    reachesPrivateNetworks: readSwitch('FOYER_PRIVATE_NETWORKS', environment['FOYER_PRIVATE_NETWORKS'] ?? 'off'),
    testPayments: readTestPayments(environment),
    stripeApiBase: readOrigin('STRIPE_API_BASE', environment['STRIPE_API_BASE'] || 'https://api.stripe.com'),
    wallet: readWalletSettings(environment),
    apnsBase: readOrigin('APNS_BASE', environment['APNS_BASE'] || 'https://api.push.apple.com'),
    googleWalletBase: readOrigin(
      'GOOGLE_WALLET_BASE',
      environment['GOOGLE_WALLET_BASE'] || 'https://walletobjects.googleapis.com',
    ),
    googleOauthBase: readOrigin(
      'GOOGLE_OAUTH_BASE',
      environment['GOOGLE_OAUTH_BASE'] || 'https://oauth2.googleapis.com',
    ),
    logLevel: readLogLevel(environment['LOG_LEVEL'] || 'info'),
  }
}

/** Reads a .env file of the working folder; what the environment already says wins. */
export const readEnvFile = (folder = process.cwd()) => {
  const file = path.join(folder, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}

const readReadUrl = (environment: Environment): string | null => {
  const text = environment['DATABASE_READ_URL']
  if (!text) return null
  if (!environment['DATABASE_URL']) {
    throw new Misconfigured('DATABASE_READ_URL is a standby of the database of DATABASE_URL, which must be set too.')
  }
  return requireSingleDatabaseUrl('DATABASE_READ_URL', text)
}

const PORT = 3000

const readPort = (name: string, text: string) => {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65535) {
    throw new Misconfigured(`${name} must be a number from 1 to 65535; it is "${text}".`)
  }
  return port
}

const readUrl = (name: string, text: string, protocols: string[], options: { keepsPassword?: boolean } = {}) => {
  const shown = options.keepsPassword === false ? '' : `; it is "${text}"`
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    throw new Misconfigured(
      `${name} must be a URL beginning with ${protocols.map((p) => `${p}//`).join(' or ')}${shown}.`,
    )
  }
  return text
}

const readObjectStore = (environment: Environment): ObjectStoreSettings | null => {
  const names = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  const missing = names.filter((name) => !environment[name])
  if (missing.length === names.length) return null
  if (missing.length > 0) throw new Misconfigured(`${missing.join(', ')} must be set where uploads are kept in S3.`)

  const [endpoint, bucket, accessKeyId, secretAccessKey] = names.map((name) => environment[name]!)
  return {
    endpoint: readUrl('S3_ENDPOINT', endpoint!, ['http:', 'https:']).replace(/\/+$/, ''),
    bucket: bucket!,
    accessKeyId: accessKeyId!,
    secretAccessKey: secretAccessKey!,
    region: environment['S3_REGION'] || 'us-east-1',
  }
}

const readShopDomain = (text: string) => {
  if (!/^[a-z0-9.-]+(:\d{1,5})?$/i.test(text)) {
    throw new Misconfigured(
      `SHOP_DOMAIN must be a host name, with a port where it needs one, like shops.example; it is "${text}".`,
    )
  }
  return text.toLowerCase()
}

const readSwitch = (name: string, text: string) => {
  if (['1', 'on', 'true', 'yes'].includes(text.toLowerCase())) return true
  if (['0', 'off', 'false', 'no', ''].includes(text.toLowerCase())) return false
  throw new Misconfigured(`${name} must be "on" or "off" (or 1 or 0); it is "${text}".`)
}

/** Whoever tries the demo venue may buy there; a venue of one's own must never give tickets away because nobody said no. */
const readTestPayments = (environment: Environment): Settings['testPayments'] => {
  const text = environment['FOYER_TEST_PAYMENTS']
  if (text === undefined || text === '') {
    return readSwitch('FOYER_DEMO', environment['FOYER_DEMO'] ?? '1') ? 'demo' : 'nowhere'
  }
  return readSwitch('FOYER_TEST_PAYMENTS', text) ? 'everywhere' : 'nowhere'
}

const readOrigin = (name: string, text: string) => {
  const url = new URL(readUrl(name, text, ['http:', 'https:']))
  if (url.pathname !== '/' || url.search || url.hash || url.username || url.password) {
    throw new Misconfigured(`${name} must be an origin without a path, like https://api.example; it is "${text}".`)
  }
  return url.origin
}

const HOPS_MAX = 10

const readTrustedProxies = (text: string): TrustedProxies | null => {
  if (['off', '0'].includes(text.toLowerCase())) return null
  if (/^\d+$/.test(text) && Number(text) <= HOPS_MAX) return { hops: Number(text) }

  const networks = text.split(',').map((network) => network.trim())
  if (networks.every(isNetwork)) return { networks }
  throw new Misconfigured(
    `FOYER_TRUST_PROXY must be "off", the number of proxies in front of Foyer (1 to ${HOPS_MAX}), or their networks like 10.0.0.0/8, 192.0.2.7; it is "${text}".`,
  )
}

const isNetwork = (text: string) => {
  const [address, length, ...more] = text.split('/')
  const version = isIP(address ?? '')
  if (version === 0 || more.length > 0) return false
  return (
    length === undefined ||
    (/^\d{1,3}$/.test(length) && Number(length) >= 1 && Number(length) <= (version === 4 ? 32 : 128))
  )
}

const UNITS: Record<string, number> = { MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 }

const readQuota = (text: string): number | null => {
  if (text.toLowerCase() === 'off') return null
  const [, count, unit] = /^(\d{1,6}) ?(MB|GB|TB)$/i.exec(text) ?? []
  if (!count || !unit || Number(count) === 0) {
    throw new Misconfigured(`FOYER_UPLOAD_QUOTA must be "off" or a size like 500 MB, 10 GB or 1 TB; it is "${text}".`)
  }
  return Number(count) * UNITS[unit.toUpperCase()]!
}

const BACKUPS_MAX = 1000

const readBackupSchedule = (environment: Environment): BackupSchedule | null => {
  const text = environment['FOYER_BACKUP'] || 'off'
  if (text.toLowerCase() === 'off') return null
  const keep = Number(/^daily:(\d{1,4})$/i.exec(text)?.[1])
  if (!(keep >= 1 && keep <= BACKUPS_MAX)) {
    throw new Misconfigured(
      `FOYER_BACKUP must be "off" or like daily:7 (1 to ${BACKUPS_MAX} are kept); it is "${text}".`,
    )
  }
  const dataFolder = path.resolve(environment['FOYER_DATA'] || './data')
  const place = environment['FOYER_BACKUP_FOLDER'] || path.join(dataFolder, 'backups')
  if (!place.startsWith('s3:')) return { keep, folder: path.resolve(place), store: null }
  const [, bucket, folder = 'backups'] = /^s3:\/\/([a-z0-9.-]+)(?:\/([\w.-]+(?:\/[\w.-]+)*))?\/?$/.exec(place) ?? []
  const store = readObjectStore(environment)
  if (!bucket || !store) {
    throw new Misconfigured(
      `FOYER_BACKUP_FOLDER must be a folder, or like s3://bucket/folder where S3_ENDPOINT and its keys are set; it is "${place}".`,
    )
  }
  return { keep, folder, store: { ...store, bucket } }
}

const readSecret = (text: string | undefined) => {
  if (!text) return null
  if (text.length < 32) throw new Misconfigured('FOYER_SECRET must have at least 32 characters.')
  return text
}

const METRICS_TOKEN_LENGTH = 16

const readMetricsToken = (text: string | undefined) => {
  if (!text) return null
  // It goes into a header as it is.
  if (text.length < METRICS_TOKEN_LENGTH || !/^[\x21-\x7e]+$/.test(text)) {
    throw new Misconfigured(
      `FOYER_METRICS_TOKEN must have at least ${METRICS_TOKEN_LENGTH} characters, letters, digits and signs without spaces.`,
    )
  }
  return text
}

const STOP_DELAY_SECONDS_MAX = 60

const readStopDelay = (text: string) => {
  const seconds = Number(text)
  if (!/^\d+$/.test(text) || seconds > STOP_DELAY_SECONDS_MAX) {
    throw new Misconfigured(
      `FOYER_STOP_DELAY must be a number of seconds from 0 to ${STOP_DELAY_SECONDS_MAX}; it is "${text}".`,
    )
  }
  return seconds * 1000
}

const readLogLevel = (text: string): LogLevel => {
  const level = LOG_LEVELS.find((each) => each === text.toLowerCase())
  if (!level) throw new Misconfigured(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}; it is "${text}".`)
  return level
}
