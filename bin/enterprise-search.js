#!/usr/bin/env node
"use strict";

require("./requireNode.js");
require("./startProgram.js");
