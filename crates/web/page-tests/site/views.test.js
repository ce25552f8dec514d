/** The views of the page without a server: a third of those of every page, unless BANYAN_DEEP=1. */

import { VIEWS, visitViews } from '../common/views.js';
import { host } from './files.js';

visitViews(() => host(process.env.SITE), VIEWS, (n) => n % 3 === 1);
