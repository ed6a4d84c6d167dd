import { describeStorageContract } from './describe-storage-contract.ts';
import { describeStoreDifferences, storeBehaviours } from './describe-store-differences.ts';
import { openEmbeddedStore } from './open-embedded-store.ts';

describeStorageContract('embedded', () => openEmbeddedStore());
describeStoreDifferences('embedded', () => openEmbeddedStore(), storeBehaviours.embedded);
