import { accessReaderContract } from "../../../contracts/accessReaderContract.js";
import { catalogueReaderContract } from "../../../contracts/catalogueReaderContract.js";
import { credentialReaderContract } from "../../../contracts/credentialReaderContract.js";
import { openOnRedis } from "../../../support/readModelEngines.js";
import { describeOnAnyRedis } from "../../../support/redisServer.js";

describeOnAnyRedis("read models on Redis", () => {
  describe("access", () => {
    accessReaderContract(async () => {
      const readModels = await openOnRedis();
      return {
        access: readModels.readers.access,
        writer: readModels.writers.groupClosure,
        close: () => readModels.close(),
      };
    });
  });

  describe("catalogue", () => {
    catalogueReaderContract(async () => {
      const readModels = await openOnRedis();
      return {
        catalogue: readModels.readers.catalogue,
        writer: readModels.writers.catalogue,
        close: () => readModels.close(),
      };
    });
  });

  describe("credentials", () => {
    credentialReaderContract(async () => {
      const readModels = await openOnRedis();
      return {
        credentials: readModels.readers.credentials,
        writer: readModels.writers.credentials,
        close: () => readModels.close(),
      };
    });
  });
});
