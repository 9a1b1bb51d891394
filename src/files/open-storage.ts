import type { AppServices } from '../access/app.ts'
import { openDiskStorage } from './disk-storage.ts'
import { openObjectStorage } from './object-storage.ts'
import type { Storage } from './storage.ts'

const opened = new WeakMap<object, Storage>()

/** The storage of this installation, as its settings say. */
export const storageOf = ({ settings }: Pick<AppServices, 'settings'>): Storage => {
  let storage = opened.get(settings)
  if (!storage) {
    storage = settings.objectStore ? openObjectStorage(settings.objectStore) : openDiskStorage(settings.dataFolder)
    opened.set(settings, storage)
  }
  return storage
}
