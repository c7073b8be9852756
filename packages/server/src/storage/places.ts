import type { DirectoryFault } from '@sotto/system'
import type { Settings } from '../config/settings.ts'
import type { StorageSettings } from '../installation/storage-driver.ts'
import { faultsOf, keyPlaceFaults } from '../keys/key-places.ts'

/** How others can replace the data or the keys of an installation. */
export function placeFaults({
  dataDir,
  database,
  keysFile,
}: StorageSettings & Pick<Settings, 'keysFile'>): readonly DirectoryFault[] {
  return [...(database === undefined ? faultsOf(dataDir) : []), ...keyPlaceFaults(keysFile)]
}
