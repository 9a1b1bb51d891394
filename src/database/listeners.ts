import { randomUUID } from 'node:crypto'
import type pg from 'pg'

export interface Listener {
  hear(payload: string): void
  /** The connection was lost, and with it any number of announcements. */
  forget(): void
  /** It is back. What was announced in between has not been heard. */
  resume?(): void
}

/** Who wants to be told what, by channel. */
export const openListenerRegistry = () => {
  const byChannel = new Map<string, Listener[]>()
  return {
    add: (channel: string, listener: Listener) => {
      byChannel.set(channel, [...(byChannel.get(channel) ?? []), listener])
      return () => {
        const others = (byChannel.get(channel) ?? []).filter((each) => each !== listener)
        if (others.length > 0) byChannel.set(channel, others)
        else byChannel.delete(channel)
      }
    },
    channels: () => byChannel.keys(),
    all: () => [...byChannel.values()].flat(),
    tell: ({ channel, payload = '' }: pg.Notification) => {
      if (payload.startsWith(PROBE)) return
      for (const listener of byChannel.get(channel) ?? []) listener.hear(payload)
    },
  }
}

const PROBE = 'probe '

/** A pooler in between may swallow announcements in silence, so the connection must hear one of its own first. */
export const listenAndVerify = async (client: pg.Client, channel: string) => {
  await client.query(`listen ${client.escapeIdentifier(channel)}`)
  const probe = PROBE + randomUUID()
  let isHeard = false
  const hear = ({ payload }: pg.Notification) => {
    isHeard ||= payload === probe
  }
  client.on('notification', hear)
  await client.query('select pg_notify($1, $2)', [channel, probe])
  client.off('notification', hear)
  if (!isHeard) throw new Error('Announcements do not come through this connection')
}
